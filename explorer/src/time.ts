/** Times of facts: reading them, which facts hold when, and the moments at which something changes. */

export interface Span {
  /** Milliseconds since 1970; -Infinity when nobody knows since when. */
  from: number;
  /** Infinity while the fact holds. */
  until: number;
}

const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}):(\d{2}))?/;

/** Return a time of the graph, `YYYY-MM-DD HH:MM:SS` in UTC, in milliseconds; null for what is none. */
export function parseTime(text: string | null): number | null {
  const found = text === null ? null : TIME.exec(text);
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found.slice(1).map((part) => Number(part ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day!);
  date.setUTCHours(hour!, minute!, second!);
  return date.getTime();
}

export function spanOf(validAt: string | null, invalidAt: string | null): Span {
  return { from: parseTime(validAt) ?? -Infinity, until: parseTime(invalidAt) ?? Infinity };
}

/** Say whether a fact holds at a time; null is no time in particular, at which all facts are shown. */
export function holds(span: Span, moment: number | null): boolean {
  return moment === null || (span.from <= moment && moment < span.until);
}

/** Return each moment at which a fact begins or ceases to hold, once, the earliest first. */
export function momentsOf(spans: Iterable<Span>): number[] {
  const moments = new Set<number>();
  for (const { from, until } of spans) {
    if (Number.isFinite(from)) moments.add(from);
    if (Number.isFinite(until)) moments.add(until);
  }
  return [...moments].sort((a, b) => a - b);
}

/** Return how many facts hold at each of `steps` moments that divide a range evenly, its ends included. */
export function histogram(spans: Iterable<Span>, from: number, until: number, steps: number): number[] {
  const change = new Array<number>(steps + 1).fill(0);
  const width = (until - from) / (steps - 1) || 1;
  const step = (moment: number): number => Math.min(steps, Math.max(0, Math.ceil((moment - from) / width)));
  for (const span of spans) {
    change[step(span.from)]! += 1;
    change[step(span.until)]! -= 1;
  }
  let holding = 0;
  return change.slice(0, steps).map((difference) => (holding += difference));
}

/** Return the moment after (or before) another one at which something changes; null when there is none. */
export function nextMoment(moments: readonly number[], moment: number, step: 1 | -1): number | null {
  const found = step > 0 ? moments.find((each) => each > moment) : moments.findLast((each) => each < moment);
  return found ?? null;
}

/** Return a time as people read it, as exactly as a range of this length (in milliseconds) asks for. */
export function formatMoment(moment: number, range = Infinity): string {
  const iso = new Date(moment).toISOString().replace("T", " ");
  const day = iso.slice(0, iso.indexOf(" "));
  const DAY = 86_400_000;
  if (range > 60 * DAY) return day;
  return range > DAY / 24 ? iso.slice(0, iso.indexOf(" ") + 6) : iso.slice(0, iso.indexOf(" ") + 9);
}

/** Return `since 2024-01-01, until 2025-03-01`; midnight is left out, and nothing is said of what nobody knows. */
export function formatSpan(validAt: string | null, invalidAt: string | null): string {
  const words = [];
  if (validAt) words.push(`since ${shortTime(validAt)}`);
  if (invalidAt) words.push(`until ${shortTime(invalidAt)}`);
  return words.join(", ");
}

export function shortTime(text: string): string {
  return text.replace(/[ T]00:00:00.*$/, "").replace(/^(\S+)[ T](\d\d:\d\d):\d\d.*$/, "$1 $2");
}
