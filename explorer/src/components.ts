/** Which entities hang together, and how small groups of them stand around the large ones. */

import type { Point } from "./positions.js";

/** Return the connected groups of `size` things, the largest first, each in the order of its members. */
export function components(size: number, pairs: Iterable<readonly [number, number]>): number[][] {
  const parent = Array.from({ length: size }, (_, index) => index);
  const root = (index: number): number => {
    let at = index;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]!]!;
    return at;
  };
  for (const [a, b] of pairs) {
    const [first, second] = [root(a), root(b)];
    parent[Math.max(first, second)] = Math.min(first, second);
  }
  const groups = new Map<number, number[]>();
  for (let index = 0; index < size; index += 1) {
    const key = root(index);
    const group = groups.get(key);
    if (group) group.push(index);
    else groups.set(key, [index]);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length || a[0]! - b[0]!);
}

/** Return places for a small group around the origin: its first member in the middle, the others in a circle. */
export function flower(size: number, gap: number): Point[] {
  if (size === 2) return [{ x: -gap / 2, y: 0 }, { x: gap / 2, y: 0 }];
  const radius = Math.max(gap, ((size - 1) * gap) / (2 * Math.PI));
  return Array.from({ length: size }, (_, index) => {
    if (index === 0) return { x: 0, y: 0 };
    const turn = ((index - 1) / (size - 1)) * 2 * Math.PI + 0.5;
    return { x: radius * Math.cos(turn), y: radius * Math.sin(turn) };
  });
}

/** Return centres for round groups of these radii: in rings, wider than high, around an oval that is taken. */
export function ringsAround(taken: { x: number; y: number }, radii: readonly number[], gap: number): Point[] {
  const centres: Point[] = [];
  let [across, down] = [taken.x, taken.y];
  while (centres.length < radii.length) {
    // Groups come the largest first, so the first of a ring says how wide it is.
    const half = radii[centres.length]! + gap / 2;
    across += half;
    down += half;
    const members = ringOf(radii.slice(centres.length), gap, Math.min(across, down));
    const spare = (2 * Math.PI) / members.reduce((sum, step) => sum + step, 0);
    let turn = -Math.PI / 2;
    for (const step of members) {
      const middle = turn + (step * spare) / 2;
      centres.push({ x: across * Math.cos(middle), y: down * Math.sin(middle) });
      turn += step * spare;
    }
    across += half;
    down += half;
  }
  return centres;
}

/** Return the angles of as many groups as a ring of this radius has room for, at least one. */
function ringOf(radii: readonly number[], gap: number, radius: number): number[] {
  const angles: number[] = [];
  let room = 2 * Math.PI;
  for (const each of radii) {
    const angle = Math.min((2 * each + gap) / radius, Math.PI);
    if (angle > room && angles.length > 0) break;
    angles.push(angle);
    room -= angle;
  }
  return angles;
}
