/** What the page is given: written by src/lcg/explorer/records.py, which has the same shapes. */

export interface NodeRecord {
  uuid: string;
  name: string;
  group: string;
  /** The entity's types, most special last, without the label that all entities have. */
  types: string[];
  summary: string;
  attributes: Record<string, unknown>;
  created_at: string;
  /** Facts of the whole graph that this entity is an end of, shown or not. */
  degree: number;
  sources: string[];
  /** Episodes that mention it; `sources` may hold fewer. */
  source_count: number;
}

export interface FactRecord {
  uuid: string;
  source: string;
  target: string;
  predicate: string;
  fact: string;
  group: string;
  relation_type: string | null;
  /** UTC, `YYYY-MM-DD HH:MM:SS`; null when unknown. */
  valid_at: string | null;
  /** As `valid_at`; null while the fact holds. */
  invalid_at: string | null;
  sources: string[];
  source_count: number;
}

export interface SourceRecord {
  uuid: string;
  label: string;
  group: string;
  created_at: string;
  /** Null when it is to be asked for, or was left out of a file. */
  text: string | null;
  /** Whether the text is only the beginning of it. */
  cut: boolean;
}

/** A part of the graph: the first one, or what was asked for later. */
export interface Part {
  nodes: NodeRecord[];
  facts: FactRecord[];
  sources: SourceRecord[];
}

export interface GraphData extends Part {
  format: 1;
  title: string;
  /** The groups that were asked for; null for all. */
  groups: string[] | null;
  total_nodes: number;
  total_facts: number;
}

export const EMPTY_PART: Part = { nodes: [], facts: [], sources: [] };

/** Read what a page embeds or a server answers; anything else than a graph of this format is an error. */
export function readGraph(text: string): GraphData {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || (value as { format?: unknown }).format !== 1) {
    throw new Error("this page and its data are of different versions of lcg; make the file again");
  }
  return value as GraphData;
}
