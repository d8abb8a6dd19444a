/** Divides a drawing: what the layout works on, and the small groups that stand around it. */

import { components, flower, ringsAround } from "./components.js";
import type { Joined } from "./matrices.js";
import type { Scene } from "./scene.js";

/** Groups of fewer entities than this do not need a layout. */
const LARGE = 30;

/** Return the entities of the large groups, and the small groups, the best-connected entity of each first. */
export function groupsOf(scene: Scene): { large: string[]; small: string[][] } {
  const uuids = scene.graph.nodes();
  const index = new Map(uuids.map((uuid, position) => [uuid, position]));
  const pairs = scene.graph.mapEdges((_edge, _data, a, b) => [index.get(a)!, index.get(b)!] as const);
  const groups = components(uuids.length, pairs).map((group) => group.map((position) => uuids[position]!));
  // In a graph of small groups only, the largest of them is the middle.
  const fewest = Math.min(LARGE, groups[0]?.length ?? LARGE);
  const isLarge = (group: string[]): boolean => group.length >= Math.max(fewest, 2);
  const small = groups.filter((group) => !isLarge(group));
  for (const group of small) group.sort((a, b) => scene.graph.degree(b) - scene.graph.degree(a));
  return { large: groups.filter(isLarge).flat(), small };
}

/** Put small groups around places that are taken. */
export function placeAround(scene: Scene, taken: Float32Array, small: readonly string[][]): void {
  if (small.length === 0) return;
  const middle = { x: 0, y: 0 };
  for (let at = 0; at < taken.length; at += 2) {
    middle.x += taken[at]! / (taken.length / 2);
    middle.y += taken[at + 1]! / (taken.length / 2);
  }
  let far = 0;
  for (let at = 0; at < taken.length; at += 2) far = Math.max(far, Math.hypot(taken[at]! - middle.x, taken[at + 1]! - middle.y));
  const gap = far > 0 ? far / 36 : 10;
  const radii = small.map((group) => (group.length === 1 ? 0 : Math.max(...flower(group.length, gap).map(({ x, y }) => Math.hypot(x, y)))));
  const centres = ringsAround({ x: far * 1.12, y: far * 0.98 }, radii, gap);
  const places = small.flatMap((group, index) =>
    flower(group.length, gap).flatMap(({ x, y }) => [middle.x + centres[index]!.x + x, middle.y + centres[index]!.y + y]),
  );
  scene.place(small.flat(), Float32Array.from(places));
}

/** Say whether a link has both of its ends in the layout. */
export function isWhole(link: { source: number | undefined; target: number | undefined; weight: number }): link is Joined {
  return link.source !== undefined && link.target !== undefined;
}
