/** Moves apart what would be drawn on top of each other, and nothing else. */

/**
 * Change places (two numbers each) until no two circles overlap, or the passes are used up.
 *
 * Args: radii of the circles, in the unit of the places; which of them stay where they are.
 */
export function separate(places: Float32Array, radii: ArrayLike<number>, fixed: ArrayLike<number>, passes: number): void {
  const size = radii.length;
  let widest = 0;
  for (let index = 0; index < size; index += 1) widest = Math.max(widest, radii[index]!);
  if (widest === 0) return;
  for (let pass = 0; pass < passes; pass += 1) {
    if (!onePass(places, radii, fixed, widest * 2)) return;
  }
}

/** Move every pair that overlaps half the way, or one of them all the way when the other stays. */
function onePass(places: Float32Array, radii: ArrayLike<number>, fixed: ArrayLike<number>, cell: number): boolean {
  const cells = new Map<string, number[]>();
  const column = (index: number): number => Math.floor(places[2 * index]! / cell);
  const row = (index: number): number => Math.floor(places[2 * index + 1]! / cell);
  for (let index = 0; index < radii.length; index += 1) {
    const key = `${column(index)} ${row(index)}`;
    const found = cells.get(key);
    if (found) found.push(index);
    else cells.set(key, [index]);
  }
  let moved = false;
  for (let index = 0; index < radii.length; index += 1) {
    const [x, y] = [column(index), row(index)];
    for (let dx = -1; dx <= 1; dx += 1) {
      for (let dy = -1; dy <= 1; dy += 1) {
        for (const other of cells.get(`${x + dx} ${y + dy}`) ?? []) {
          if (other > index && push(places, radii, fixed, index, other)) moved = true;
        }
      }
    }
  }
  return moved;
}

function push(places: Float32Array, radii: ArrayLike<number>, fixed: ArrayLike<number>, a: number, b: number): boolean {
  if (fixed[a] && fixed[b]) return false;
  let dx = places[2 * b]! - places[2 * a]!;
  let dy = places[2 * b + 1]! - places[2 * a + 1]!;
  let distance = Math.hypot(dx, dy);
  const wanted = radii[a]! + radii[b]!;
  // A hair of tolerance, else rounding would keep them moving for ever.
  if (distance >= wanted * 0.999) return false;
  if (distance === 0) {
    // In the same place: apart in a direction of their own, the same every time.
    [dx, dy, distance] = [Math.cos(a + b), Math.sin(a + b), 1];
  }
  const way = wanted - Math.hypot(places[2 * b]! - places[2 * a]!, places[2 * b + 1]! - places[2 * a + 1]!);
  const share = fixed[a] ? 0 : fixed[b] ? 1 : 0.5;
  places[2 * a]! -= (dx / distance) * way * share;
  places[2 * a + 1]! -= (dy / distance) * way * share;
  places[2 * b]! += (dx / distance) * way * (1 - share);
  places[2 * b + 1]! += (dy / distance) * way * (1 - share);
  return true;
}
