/** The left side: what graph this is, the search, its results, and the filters with the colours of the types. */

import type { GraphData, NodeRecord } from "./data.js";
import { button, el, icon, said, walkWithArrows } from "./dom.js";
import type { Filters } from "./filters.js";
import { typeOf } from "./model.js";
import { ordered, OTHER, UNTYPED, type Shade } from "./palette.js";
import { count, oneLine } from "./text.js";

export interface SidebarEvents {
  search(query: string): void;
  pick(uuid: string, byKeyboard: boolean): void;
  preview(uuid: string | null): void;
  toggle(kind: FilterKind, key: string): void;
  only(kind: FilterKind, key: string): void;
}

export type FilterKind = "hiddenTypes" | "hiddenGroups" | "hiddenPredicates";

export interface Results {
  query: string;
  found: NodeRecord[];
  total: number;
  /** What the service found beyond the drawing. */
  beyond: NodeRecord[];
}

export interface Counts {
  types: Map<string, number>;
  groups: Map<string, number>;
  predicates: Map<string, number>;
}

const MOST_PREDICATES = 40;

export class Sidebar {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly results = el("div", { class: "results", attrs: { hidden: true } });
  private readonly filters = el("div", { class: "filters" });
  private readonly live = el("p", { class: "unseen", attrs: { role: "status", "aria-live": "polite" } });
  private readonly numbers = el("p", { class: "numbers" });
  private readonly note = el("p", { class: "note", attrs: { hidden: true } });
  private results_: Results | null = null;
  private content = "";
  private boxes: [HTMLInputElement, FilterKind, string][] = [];

  constructor(data: GraphData, private readonly events: SidebarEvents) {
    this.input = el("input", {
      attrs: {
        id: "search", type: "search", placeholder: "Search entities", autocomplete: "off",
        spellcheck: "false", "aria-label": "Search entities", "aria-keyshortcuts": "/", maxlength: 500,
      },
      on: { input: () => events.search(this.input.value), keydown: (event) => this.onSearchKey(event) },
    });
    const key = el("kbd", { attrs: { "aria-hidden": true } }, "/");
    const box = el("div", { class: "search" }, icon("search"), this.input, key);
    const title = el("h1", { attrs: { title: oneLine(data.title, 300) } }, said(oneLine(data.title, 80)));
    this.element = el(
      "div", { class: "side", attrs: { role: "region", "aria-label": "Search and filters" } },
      el("div", { class: "head" }, title, this.numbers, this.note), box, this.live, this.results, this.filters,
    );
    walkWithArrows(this.results, ".result", () => this.input.focus());
  }

  focusSearch(): void {
    this.input.focus();
    this.input.select();
  }

  /** Empty the search; say whether there was anything in it. */
  clearSearch(): boolean {
    if (!this.input.value) return false;
    this.input.value = "";
    this.events.search("");
    return true;
  }

  showNumbers(text: string, note: string): void {
    this.numbers.textContent = text;
    this.note.textContent = note;
    this.note.hidden = note === "";
  }

  private onSearchKey(event: KeyboardEvent): void {
    const first = this.results.querySelector<HTMLElement>(".result");
    if (event.key === "ArrowDown" && first) {
      first.focus();
      event.preventDefault();
    }
    if (event.key === "Enter") {
      const best = this.results_?.found[0] ?? this.results_?.beyond[0];
      if (best) this.events.pick(best.uuid, true);
    }
  }

  // -- Results

  showResults(results: Results | null, colours: Map<string, Shade>): void {
    this.results_ = results;
    this.filters.hidden = results !== null;
    this.results.hidden = results === null;
    if (results === null) {
      this.results.replaceChildren();
      this.live.textContent = "";
      return;
    }
    const { found, total, beyond } = results;
    this.live.textContent = total + beyond.length === 0 ? "Nothing found" : count(total + beyond.length, "result");
    const more = total > found.length ? el("p", { class: "hint" }, `The best ${found.length} of ${count(total, "match", "matches")}.`) : null;
    this.results.replaceChildren(
      ...[
        total + beyond.length === 0 ? el("p", { class: "hint" }, "Nothing is called so, and no summary has these words.") : null,
        this.list(found, colours, "Results"),
        more,
        beyond.length > 0 ? el("h2", {}, "Not in the drawing yet") : null,
        this.list(beyond, colours, "Not in the drawing yet"),
      ].filter((each) => each !== null),
    );
  }

  private list(nodes: NodeRecord[], colours: Map<string, Shade>, label: string): HTMLElement | null {
    if (nodes.length === 0) return null;
    return el("ul", { attrs: { "aria-label": label } }, ...nodes.map((node) => el("li", {}, this.result(node, colours))));
  }

  private result(node: NodeRecord, colours: Map<string, Shade>): HTMLElement {
    const made = el(
      "button",
      {
        class: "result", attrs: { type: "button" },
        on: {
          // A click by keyboard has no count.
          click: (event) => this.events.pick(node.uuid, event.detail === 0),
          mouseenter: () => this.events.preview(node.uuid),
          mouseleave: () => this.events.preview(null),
          focus: () => this.events.preview(node.uuid),
          blur: () => this.events.preview(null),
        },
      },
      dot(colours.get(typeOf(node)) ?? OTHER),
      said(oneLine(node.name, 80) || "(no name)", "name"),
    );
    if (node.summary.trim()) made.append(said(oneLine(node.summary, 120), "summary"));
    return made;
  }

  // -- Filters

  showFilters(counts: Counts, filters: Filters, colours: Map<string, Shade>): void {
    // Only what has changed is made anew, so that the focus stays where it is.
    const content = JSON.stringify([...Object.values(counts)].map((each: Map<string, number>) => [...each]));
    if (content !== this.content) this.makeFilters(counts, filters, colours);
    this.content = content;
    for (const [box, kind, key] of this.boxes) box.checked = !filters[kind].has(key);
  }

  private makeFilters(counts: Counts, filters: Filters, colours: Map<string, Shade>): void {
    this.boxes = [];
    const sections = [this.section("Types", "hiddenTypes", counts.types, filters.hiddenTypes, colours)];
    if (counts.groups.size > 1) sections.push(this.section("Groups", "hiddenGroups", counts.groups, filters.hiddenGroups));
    if (counts.predicates.size > 1) {
      const open = this.filters.querySelector("details")?.open ?? false;
      const inner = this.section("", "hiddenPredicates", counts.predicates, filters.hiddenPredicates);
      sections.push(el("details", { attrs: { open } }, el("summary", {}, "Relations"), inner));
    }
    this.filters.replaceChildren(...sections);
  }

  private section(
    title: string, kind: FilterKind, counts: Map<string, number>, hidden: ReadonlySet<string>, colours?: Map<string, Shade>,
  ): HTMLElement {
    const keys = ordered(counts);
    const rows = keys.slice(0, MOST_PREDICATES).map((key) => {
      const name = key === UNTYPED ? "without a type" : oneLine(key, 60);
      const box = el("input", {
        attrs: { type: "checkbox", checked: !hidden.has(key) },
        on: { change: () => this.events.toggle(kind, key) },
      });
      const only = button("only", "only", () => this.events.only(kind, key), { "aria-label": `Only ${name}` });
      this.boxes.push([box, kind, key]);
      const label = el("label", {}, box, colours ? dot(colours.get(key) ?? OTHER) : null, said(name, "name"), el("span", { class: "count" }, counts.get(key)!.toLocaleString("en")));
      return el("li", {}, label, only);
    });
    const rest = keys.length - rows.length;
    return el(
      "section", {}, title ? el("h2", {}, title) : null, el("ul", { class: "checks" }, ...rows),
      rest > 0 ? el("p", { class: "hint" }, `${count(rest, "rarer one")} always shown.`) : null,
    );
  }
}

export function dot(shade: Shade): HTMLElement {
  const made = el("span", { class: "dot", attrs: { "aria-hidden": true } });
  made.style.setProperty("--dot-light", shade.light);
  made.style.setProperty("--dot-dark", shade.dark);
  return made;
}
