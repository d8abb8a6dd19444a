/** Texts of the graph can come from anybody: what they may do to a page, and how they are cut. */

// Controls, and marks that change the direction of what follows; zero-width joiners stay, emoji are made of them.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Replace what would steer a terminal, a clipboard or the direction of the text around. */
export function clean(text: string): string {
  return text.replace(CONTROLS, "\ufffd");
}

/** Return a text in one line of at most `most` characters as people count them. */
export function oneLine(text: string, most: number): string {
  // The first cut is for speed: nobody waits for a name of a megabyte. What people see as one character may be long.
  const part = text.slice(0, most * 30);
  const line = clean(part).replace(/\s+/g, " ").trim();
  const characters = graphemes(line, most + 1);
  if (characters.length <= most && part.length === text.length) return line;
  return characters.slice(0, most - 1).join("").trimEnd() + "…";
}

function graphemes(text: string, most: number): string[] {
  if (text.length < most) return [text];
  const found: string[] = [];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    found.push(segment);
    if (found.length >= most) break;
  }
  return found;
}

/** Return a text as it is compared in searches: without accents, in small letters. */
export function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

const NUMBERS = new Intl.NumberFormat("en");

/** Return `1,234 facts`, `1 fact`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${NUMBERS.format(number)} ${number === 1 ? one : many}`;
}
