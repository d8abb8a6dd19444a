/** Where entities stand before the layout begins, and where those go that it does not move. */

export interface Point {
  x: number;
  y: number;
}

const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Return the place of the n-th entity in a sunflower's head: the first in the middle, the same for everyone. */
export function spiral(index: number, spread: number): Point {
  const radius = spread * Math.sqrt(index + 0.5);
  return { x: radius * Math.cos(index * GOLDEN), y: radius * Math.sin(index * GOLDEN) };
}

/** Return places around a point for entities that are added to it. */
export function ring(centre: Point, radius: number, size: number): Point[] {
  return Array.from({ length: size }, (_, index) => {
    const turn = (index / size) * 2 * Math.PI + 0.4;
    const far = radius * (1 + 0.35 * (index % 3));
    return { x: centre.x + far * Math.cos(turn), y: centre.y + far * Math.sin(turn) };
  });
}
