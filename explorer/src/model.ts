/** The graph as the page knows it: entities, facts between them, and which of both stand where. */

import type { FactRecord, NodeRecord, Part, SourceRecord } from "./data.js";
import { UNTYPED } from "./palette.js";
import { spanOf, type Span } from "./time.js";

export interface Fact extends FactRecord {
  span: Span;
}

/** All facts between two entities, which are drawn as one line. */
export interface Link {
  key: string;
  ends: readonly [string, string];
  facts: Fact[];
}

/** Return the type that an entity is coloured by. */
export function typeOf(node: NodeRecord): string {
  return node.types.at(-1) ?? UNTYPED;
}

export function linkKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

export class Model {
  readonly nodes = new Map<string, NodeRecord>();
  readonly facts = new Map<string, Fact>();
  readonly links = new Map<string, Link>();
  readonly sources = new Map<string, SourceRecord>();
  private readonly around = new Map<string, Set<string>>();

  /** Take in a part of the graph and return the entities and links that are new. Facts without both ends are left out. */
  add(part: Part): { nodes: NodeRecord[]; links: Link[] } {
    const fresh = part.nodes.filter((node) => !this.nodes.has(node.uuid));
    for (const node of fresh) {
      this.nodes.set(node.uuid, node);
      this.around.set(node.uuid, new Set());
    }
    for (const source of part.sources) {
      const known = this.sources.get(source.uuid);
      if (!known || known.text === null) this.sources.set(source.uuid, source);
    }
    const links = new Set<Link>();
    for (const record of part.facts) {
      if (this.facts.has(record.uuid) || !this.nodes.has(record.source) || !this.nodes.has(record.target)) continue;
      const link = this.addFact({ ...record, span: spanOf(record.valid_at, record.invalid_at) });
      if (link) links.add(link);
    }
    return { nodes: fresh, links: [...links] };
  }

  private addFact(fact: Fact): Link | null {
    this.facts.set(fact.uuid, fact);
    const key = linkKey(fact.source, fact.target);
    const known = this.links.get(key);
    if (known) {
      known.facts.push(fact);
      return null;
    }
    const link: Link = { key, ends: [fact.source, fact.target], facts: [fact] };
    this.links.set(key, link);
    this.around.get(fact.source)!.add(key);
    this.around.get(fact.target)!.add(key);
    return link;
  }

  linksOf(uuid: string): Link[] {
    return [...(this.around.get(uuid) ?? [])].map((key) => this.links.get(key)!);
  }

  factsOf(uuid: string): Fact[] {
    return this.linksOf(uuid).flatMap((link) => link.facts);
  }

  /** Return how many facts of an entity the whole graph has beyond those that are here. */
  missingFacts(uuid: string): number {
    return Math.max(0, (this.nodes.get(uuid)?.degree ?? 0) - this.factsOf(uuid).length);
  }
}

export function otherEnd(link: { ends: readonly [string, string] }, uuid: string): string {
  return link.ends[0] === uuid ? link.ends[1] : link.ends[0];
}

/** Count how often each key comes. */
export function counted<T>(items: Iterable<T>, key: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}
