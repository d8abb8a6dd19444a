import assert from "node:assert/strict";
import { test } from "node:test";
import { components, flower, ringsAround } from "../src/components.js";
import { overlap } from "../src/drawing.js";
import { fixedOf, matrices, placesOf, sizesOf } from "../src/matrices.js";
import { separate } from "../src/overlap.js";
import { ring, spiral } from "../src/positions.js";

const gap = (places: Float32Array, a: number, b: number): number =>
  Math.hypot(places[2 * a]! - places[2 * b]!, places[2 * a + 1]! - places[2 * b + 1]!);

test("groups are what hangs together, the largest first", () => {
  assert.deepEqual(components(7, [[5, 6], [0, 4], [4, 2]]), [[0, 2, 4], [5, 6], [1], [3]]);
  assert.deepEqual(components(0, []), []);
});

test("a chain of many is one group", () => {
  const pairs = Array.from({ length: 9_999 }, (_, index) => [index, index + 1] as const);
  assert.equal(components(10_000, pairs).length, 1);
});

test("circles that overlap are moved apart, even from the same place", () => {
  const places = Float32Array.from([0, 0, 0, 0, 1, 0, 50, 50]);
  separate(places, [2, 2, 2, 2], [0, 0, 0, 0], 200);
  for (const [a, b] of [[0, 1], [0, 2], [1, 2]] as const) assert.ok(gap(places, a, b) >= 3.95, `${a} ${b}`);
  assert.deepEqual([...places.slice(6)], [50, 50]);
});

test("what is fixed stays, and the other one goes all the way", () => {
  const places = Float32Array.from([0, 0, 1, 0]);
  separate(places, [2, 2], [1, 0], 50);
  assert.deepEqual([...places], [0, 0, 4, 0]);
});

test("small groups stand outside of what is taken, and none on another", () => {
  const radii = [5, 3, 3, 1, ...Array.from({ length: 200 }, () => 0)];
  const centres = ringsAround({ x: 110, y: 100 }, radii, 4);
  assert.equal(centres.length, radii.length);
  for (const { x, y } of centres) assert.ok(Math.hypot(x / 110, y / 100) > 1);
  for (let a = 0; a < centres.length; a += 1) {
    for (let b = 0; b < a; b += 1) {
      const apart = Math.hypot(centres[a]!.x - centres[b]!.x, centres[a]!.y - centres[b]!.y);
      assert.ok(apart >= radii[a]! + radii[b]!, `${a} ${b}`);
    }
  }
});

test("a single small group and no small group are placed too", () => {
  assert.equal(ringsAround({ x: 0, y: 0 }, [0], 10).length, 1);
  assert.deepEqual(ringsAround({ x: 1, y: 1 }, [], 10), []);
  assert.equal(flower(1, 5).length, 1);
});

test("the arrays of the layout hold places, sizes and the weight of links at both ends", () => {
  const placed = [{ x: 1, y: 2, size: 3, fixed: false }, { x: 4, y: 5, size: 6, fixed: true }];
  const { nodes, edges } = matrices(placed, [{ source: 0, target: 1, weight: 2 }]);
  assert.deepEqual([...placesOf(nodes)], [1, 2, 4, 5]);
  assert.deepEqual([[...sizesOf(nodes)], [...fixedOf(nodes)], [...edges]], [[3, 6], [0, 1], [0, 10, 2]]);
  assert.deepEqual([nodes[6], nodes[16]], [3, 3]);
});

test("first places differ, and are the same every time", () => {
  const places = Array.from({ length: 100 }, (_, index) => spiral(index, 10));
  assert.equal(new Set(places.map(({ x, y }) => `${x} ${y}`)).size, 100);
  assert.deepEqual(spiral(42, 10), places[42]);
  assert.equal(ring({ x: 0, y: 0 }, 5, 7).length, 7);
});

test("boxes overlap when they share an area, not when they touch", () => {
  const box = { left: 0, right: 10, top: 0, bottom: 10 };
  assert.ok(overlap(box, { left: 9, right: 12, top: 9, bottom: 12 }));
  assert.ok(!overlap(box, { left: 10, right: 12, top: 0, bottom: 10 }));
});
