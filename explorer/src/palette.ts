/** Colours of types: the same for the same graph, clear on a light and on a dark ground, the rest grey. */

export interface Shade {
  light: string;
  dark: string;
}

export const OTHER: Shade = { light: "#8b8f98", dark: "#7c828e" };

// Neighbours in this list differ in hue and lightness, so that they are told apart with any kind of sight.
export const SHADES: readonly Shade[] = [
  { light: "#2f6fd6", dark: "#6ea8ff" },
  { light: "#d9632b", dark: "#ff9d66" },
  { light: "#0f8f7a", dark: "#3fd0b6" },
  { light: "#b03a8c", dark: "#f08ad0" },
  { light: "#9a7400", dark: "#e9c44a" },
  { light: "#6b4fc8", dark: "#a993ff" },
  { light: "#3f8f2f", dark: "#86d36f" },
  { light: "#c23b4b", dark: "#ff8390" },
  { light: "#1f86a8", dark: "#5fcbe8" },
  { light: "#7d5a3c", dark: "#d3a982" },
];

export const UNTYPED = "";

/** Return a colour for each type, the commonest first in the list of colours; those beyond it share grey. */
export function coloursOf(counts: ReadonlyMap<string, number>): Map<string, Shade> {
  const colours = new Map<string, Shade>();
  const typed = ordered(counts).filter((type) => type !== UNTYPED);
  typed.forEach((type, index) => colours.set(type, SHADES[index] ?? OTHER));
  if (counts.has(UNTYPED)) colours.set(UNTYPED, OTHER);
  return colours;
}

/** Return the keys of counts, the commonest first, ties by name. */
export function ordered(counts: ReadonlyMap<string, number>): string[] {
  return [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1));
}

/** Return a colour between two, both `#rrggbb`: at 0 the first, at 1 the second. */
export function mixed(first: string, second: string, share: number): string {
  const channel = (colour: string, at: number): number => parseInt(colour.slice(at, at + 2), 16);
  const parts = [1, 3, 5].map((at) => Math.round(channel(first, at) * (1 - share) + channel(second, at) * share));
  return "#" + parts.map((part) => part.toString(16).padStart(2, "0")).join("");
}
