/** Rows for the tests. */

import type { FactRecord, NodeRecord } from "../src/data.js";

export function node(uuid: string, more: Partial<NodeRecord> = {}): NodeRecord {
  return {
    uuid, name: uuid, group: "g", types: [], summary: "", attributes: {}, created_at: "2026-01-01 00:00:00",
    degree: 0, sources: [], source_count: 0, ...more,
  };
}

export function fact(uuid: string, source: string, target: string, more: Partial<FactRecord> = {}): FactRecord {
  return {
    uuid, source, target, predicate: "KNOWS", fact: uuid, group: "g", relation_type: null,
    valid_at: null, invalid_at: null, sources: [], source_count: 0, ...more,
  };
}
