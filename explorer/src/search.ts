/** Search in what the page has: names first, then summaries; whole words before parts of words. */

import type { NodeRecord } from "./data.js";
import { folded } from "./text.js";

interface Entry {
  node: NodeRecord;
  name: string;
  summary: string;
}

export class SearchIndex {
  private readonly entries: Entry[] = [];

  add(nodes: Iterable<NodeRecord>): void {
    for (const node of nodes) {
      // Beyond these lengths nobody looks for a word, and hostile names must not slow down typing.
      const name = folded(node.name.slice(0, 500));
      this.entries.push({ node, name, summary: folded(node.summary.slice(0, 4000)) });
    }
  }

  /** Return the best matches: all words of the query are in the name, or in name and summary together. */
  find(query: string, most: number): { found: NodeRecord[]; total: number } {
    const wanted = folded(query).trim();
    if (!wanted) return { found: [], total: 0 };
    const words = wanted.split(/\s+/);
    const ranked: { rank: number; node: NodeRecord }[] = [];
    for (const entry of this.entries) {
      const rank = rankOf(entry, wanted, words);
      if (rank !== null) ranked.push({ rank, node: entry.node });
    }
    ranked.sort((a, b) => a.rank - b.rank || b.node.degree - a.node.degree || (a.node.name < b.node.name ? -1 : 1));
    return { found: ranked.slice(0, most).map(({ node }) => node), total: ranked.length };
  }
}

/** Return 0 for the best kind of match, more for weaker ones, null for none. */
function rankOf(entry: Entry, wanted: string, words: string[]): number | null {
  if (entry.name === wanted) return 0;
  if (entry.name.startsWith(wanted)) return 1;
  if (words.every((word) => beginsWord(entry.name, word))) return 2;
  if (words.every((word) => entry.name.includes(word))) return 3;
  return words.every((word) => entry.name.includes(word) || entry.summary.includes(word)) ? 4 : null;
}

function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}
