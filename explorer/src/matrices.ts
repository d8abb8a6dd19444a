/** The layout's view of a graph: ForceAtlas2 works on two arrays of numbers. */

export const PER_NODE = 10;
export const PER_EDGE = 3;
const [X, Y, MASS, CONVERGENCE, SIZE, FIXED] = [0, 1, 6, 7, 8, 9];

export interface Placed {
  x: number;
  y: number;
  size: number;
  fixed: boolean;
}

export interface Joined {
  source: number;
  target: number;
  weight: number;
}

export interface Task {
  nodes: Float32Array;
  edges: Float32Array;
  iterations: number;
  /** Steps after which the places so far are told. */
  every: number;
}

/** Return the arrays for entities and links that name their ends by index. */
export function matrices(placed: readonly Placed[], joined: readonly Joined[]): Pick<Task, "nodes" | "edges"> {
  const nodes = new Float32Array(placed.length * PER_NODE);
  placed.forEach((node, index) => {
    const at = index * PER_NODE;
    nodes[at + X!] = node.x;
    nodes[at + Y!] = node.y;
    nodes[at + MASS!] = 1;
    nodes[at + CONVERGENCE!] = 1;
    nodes[at + SIZE!] = node.size;
    nodes[at + FIXED!] = node.fixed ? 1 : 0;
  });
  const edges = new Float32Array(joined.length * PER_EDGE);
  joined.forEach(({ source, target, weight }, index) => {
    nodes[source * PER_NODE + MASS!]! += weight;
    nodes[target * PER_NODE + MASS!]! += weight;
    edges.set([source * PER_NODE, target * PER_NODE, weight], index * PER_EDGE);
  });
  return { nodes, edges };
}

/** Return the place of each node, two numbers each. */
export function placesOf(nodes: Float32Array): Float32Array {
  const places = new Float32Array((nodes.length / PER_NODE) * 2);
  for (let index = 0; index < places.length / 2; index += 1) {
    places[2 * index] = nodes[index * PER_NODE + X!]!;
    places[2 * index + 1] = nodes[index * PER_NODE + Y!]!;
  }
  return places;
}

export function sizesOf(nodes: Float32Array): Float32Array {
  return column(nodes, SIZE!);
}

/** Return 1 for each node that stays where it is, else 0. */
export function fixedOf(nodes: Float32Array): Float32Array {
  return column(nodes, FIXED!);
}

function column(nodes: Float32Array, which: number): Float32Array {
  return Float32Array.from({ length: nodes.length / PER_NODE }, (_, index) => nodes[index * PER_NODE + which]!);
}
