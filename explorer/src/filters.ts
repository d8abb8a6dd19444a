/** What is shown: groups and types that are switched off, and the moment at which facts have to hold. */

import type { NodeRecord } from "./data.js";
import { typeOf, type Fact, type Link, type Model } from "./model.js";
import { holds } from "./time.js";

export interface Filters {
  hiddenTypes: ReadonlySet<string>;
  hiddenGroups: ReadonlySet<string>;
  hiddenPredicates: ReadonlySet<string>;
  moment: number | null;
}

export const NO_FILTERS: Filters = {
  hiddenTypes: new Set(),
  hiddenGroups: new Set(),
  hiddenPredicates: new Set(),
  moment: null,
};

/** What the filters leave. A quiet entity has facts, none of which holds at the moment that is asked for. */
export interface Shown {
  nodes: Set<string>;
  links: Set<string>;
  quiet: Set<string>;
  facts: number;
}

export function showsNode(node: NodeRecord, filters: Filters): boolean {
  return !filters.hiddenTypes.has(typeOf(node)) && !filters.hiddenGroups.has(node.group);
}

export function showsFact(fact: Fact, filters: Filters): boolean {
  return (
    !filters.hiddenGroups.has(fact.group) &&
    !filters.hiddenPredicates.has(fact.predicate) &&
    holds(fact.span, filters.moment)
  );
}

export function shownBy(model: Model, filters: Filters): Shown {
  const nodes = new Set<string>();
  for (const node of model.nodes.values()) if (showsNode(node, filters)) nodes.add(node.uuid);
  const links = new Set<string>();
  const joined = new Set<string>();
  let facts = 0;
  for (const link of model.links.values()) {
    if (!nodes.has(link.ends[0]) || !nodes.has(link.ends[1])) continue;
    const holding = shownFacts(link, filters).length;
    if (holding === 0) continue;
    facts += holding;
    links.add(link.key);
    joined.add(link.ends[0]).add(link.ends[1]);
  }
  const quiet = new Set<string>();
  if (filters.moment !== null || filters.hiddenPredicates.size > 0) {
    for (const uuid of nodes) if (!joined.has(uuid) && model.linksOf(uuid).length > 0) quiet.add(uuid);
  }
  return { nodes, links, quiet, facts };
}

export function shownFacts(link: Link, filters: Filters): Fact[] {
  return link.facts.filter((fact) => showsFact(fact, filters));
}

/** Return a set with one member more or less. */
export function toggled(set: ReadonlySet<string>, member: string): Set<string> {
  const copy = new Set(set);
  if (!copy.delete(member)) copy.add(member);
  return copy;
}
