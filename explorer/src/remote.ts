/** The page of `lcg view` asks the process that serves it for more; a file has nobody to ask. */

import { readGraph, type GraphData, type NodeRecord, type Part, type SourceRecord } from "./data.js";

export interface Remote {
  graph(): Promise<GraphData>;
  around(uuid: string, offset: number): Promise<Part & { has_more: boolean; next: number }>;
  search(query: string): Promise<NodeRecord[]>;
  source(uuid: string): Promise<SourceRecord>;
}

const KEPT = "lcg-view-token";

/** Return what asks the server of this page. The token comes in the fragment of its address, and leaves it at once. */
export function connect(): Remote {
  const given = location.hash.slice(1);
  if (given) {
    sessionStorage.setItem(KEPT, given);
    history.replaceState(null, "", location.pathname);
  }
  const token = given || sessionStorage.getItem(KEPT) || "";
  const ask = async (path: string, params: Record<string, string> = {}): Promise<string> => {
    const query = new URLSearchParams(params).toString();
    const answer = await fetch(`/api/${path}${query ? `?${query}` : ""}`, {
      headers: { Authorization: `Bearer ${token}` },
      credentials: "omit",
      referrerPolicy: "no-referrer",
    }).catch(() => {
      throw new Error("`lcg view` does not answer; it may have been ended. Start it again.");
    });
    const text = await answer.text();
    if (answer.ok) return text;
    throw new Error(errorIn(text) ?? `\`lcg view\` answered with status ${answer.status}.`);
  };
  return {
    graph: async () => readGraph(await ask("graph")),
    around: async (entity, offset) => JSON.parse(await ask("around", { entity, offset: String(offset) })),
    search: async (q) => JSON.parse(await ask("search", { q })).nodes,
    source: async (episode) => JSON.parse(await ask("source", { episode })),
  };
}

function errorIn(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    const error = (value as { error?: unknown } | null)?.error;
    return typeof error === "string" ? error : null;
  } catch {
    return null;
  }
}
