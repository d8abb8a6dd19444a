declare module "graphology-layout-forceatlas2/iterate.js" {
  import type { ForceAtlas2Settings } from "graphology-layout-forceatlas2";

  /** One step over matrices of 10 numbers a node and 3 an edge; see helpers.js of that package. */
  export default function iterate(settings: Required<ForceAtlas2Settings>, nodes: Float32Array, edges: Float32Array): void;
}

/** What build.mjs makes of layout-worker.ts: its code, as a text. */
declare module "worker:layout" {
  const code: string;
  export default code;
}
