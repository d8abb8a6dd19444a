/** The right side: one entity, or the facts between two, with everything that is known and where it was read. */

import { button, el, icon, iconButton, said, scrolling, walkWithArrows } from "./dom.js";
import { showsFact, type Filters } from "./filters.js";
import { otherEnd, typeOf, type Fact, type Link, type Model } from "./model.js";
import { OTHER, UNTYPED, type Shade } from "./palette.js";
import { dot } from "./sidebar.js";
import { SourceList } from "./sources.js";
import { clean, count, oneLine } from "./text.js";
import { formatSpan, shortTime } from "./time.js";

export interface PanelEvents {
  pick(uuid: string, byKeyboard: boolean): void;
  pickLink(key: string, byKeyboard: boolean): void;
  preview(uuid: string | null): void;
  /** Load more of an entity's neighbours; absent in a file. */
  more: ((uuid: string) => void) | null;
  back(): void;
  close(): void;
}

const FIRST_FACTS = 60;

export class Panel {
  readonly element: HTMLElement;
  private readonly body = el("div", { class: "panel-body" });
  private readonly backButton: HTMLButtonElement;

  constructor(
    private readonly model: Model,
    private readonly sources: SourceList,
    private readonly events: PanelEvents,
  ) {
    this.backButton = iconButton("back", "Back to what was shown before", () => events.back());
    const close = iconButton("close", "Close", () => events.close());
    this.element = el(
      "aside", { class: "panel", attrs: { "aria-label": "Details", hidden: true } },
      el("div", { class: "panel-bar" }, this.backButton, close), this.body,
    );
    walkWithArrows(this.element, ".hop");
  }

  hide(): void {
    this.element.hidden = true;
    this.body.replaceChildren();
  }

  focus(): void {
    this.body.querySelector<HTMLElement>("h2")?.focus();
  }

  private open(canGoBack: boolean, ...parts: (HTMLElement | null)[]): void {
    this.backButton.disabled = !canGoBack;
    this.element.hidden = false;
    this.body.replaceChildren(...parts.filter((part) => part !== null));
    this.body.scrollTop = 0;
  }

  // -- An entity

  showNode(uuid: string, filters: Filters, colours: Map<string, Shade>, canGoBack: boolean): void {
    const node = this.model.nodes.get(uuid);
    if (!node) return;
    const facts = this.model.factsOf(uuid).sort((a, b) => Number(a.span.until !== Infinity) - Number(b.span.until !== Infinity));
    this.open(
      canGoBack,
      el("p", { class: "kind" }, dot(colours.get(typeOf(node)) ?? OTHER), said(oneLine(node.types.join(" · "), 80) || "Entity"), said(oneLine(node.group, 60), "group")),
      el("h2", { attrs: { tabindex: -1 } }, said(clean(node.name) || "(no name)")),
      node.summary.trim() ? scrolling("Summary", "prose", clean(node.summary)) : null,
      attributesOf(node.attributes),
      this.factSection(uuid, facts, filters, colours),
      this.sources.section(node.sources, node.source_count),
      el("p", { class: "small" }, `Known since ${shortTime(node.created_at)}`, el("br"), el("code", {}, node.uuid)),
    );
  }

  private factSection(uuid: string, facts: Fact[], filters: Filters, colours: Map<string, Shade>): HTMLElement {
    const shown = facts.filter((fact) => showsFact(fact, filters));
    const list = el("ul", { class: "facts", attrs: { "aria-label": "Facts" } });
    const rest = shown.slice(FIRST_FACTS);
    const add = (some: Fact[]): void => list.append(...some.map((fact) => this.factRow(uuid, fact, colours)));
    add(shown.slice(0, FIRST_FACTS));
    const all = rest.length === 0 ? null : button(`Show ${count(rest.length, "more fact")}`, "wide", () => {
      add(rest);
      all?.remove();
    });
    const hidden = facts.length - shown.length;
    const missing = this.model.missingFacts(uuid);
    return el(
      "section", {},
      el("h3", {}, "Facts", el("span", { class: "count" }, String(shown.length))),
      facts.length === 0 && missing === 0 ? el("p", { class: "hint" }, "None.") : null,
      list, all,
      hidden > 0 ? el("p", { class: "hint" }, `${count(hidden, "fact")} hidden by the filters.`) : null,
      this.moreRow(uuid, missing),
    );
  }

  private moreRow(uuid: string, missing: number): HTMLElement | null {
    if (missing === 0) return null;
    const { more } = this.events;
    if (more === null) return el("p", { class: "hint" }, `${count(missing, "fact")} more, to entities that are not in this file.`);
    return button(`Show ${count(missing, "more neighbour fact")}`, "wide primary", () => more(uuid));
  }

  private factRow(uuid: string, fact: Fact, colours: Map<string, Shade>): HTMLElement {
    const outgoing = fact.source === uuid;
    const other = this.model.nodes.get(otherEnd({ ends: [fact.source, fact.target] }, uuid))!;
    const hop = el(
      "button",
      {
        class: "hop", attrs: { type: "button" },
        on: {
          click: (event) => this.events.pick(other.uuid, event.detail === 0),
          mouseenter: () => this.events.preview(other.uuid), mouseleave: () => this.events.preview(null),
          focus: () => this.events.preview(other.uuid), blur: () => this.events.preview(null),
        },
      },
      el("span", { class: "predicate" }, el("span", { attrs: { "aria-hidden": true } }, outgoing ? "→ " : "← "), said(oneLine(fact.predicate, 60)), el("span", { class: "unseen" }, outgoing ? " to " : " from ")),
      el("span", { class: "other" }, dot(colours.get(typeOf(other)) ?? OTHER), said(oneLine(other.name, 80) || "(no name)", "name")),
    );
    const key = [...[fact.source, fact.target]].sort().join(" ");
    const about = el(
      "button", { class: "about", attrs: { type: "button" }, on: { click: (event) => this.events.pickLink(key, event.detail === 0) } },
      said(oneLine(fact.fact, 240)), span(fact), icon("next"),
    );
    return el("li", { class: ended(fact) ? "ended" : "" }, hop, about);
  }

  // -- The facts between two entities

  showLink(link: Link, filters: Filters, colours: Map<string, Shade>, canGoBack: boolean): void {
    const shown = link.facts.filter((fact) => showsFact(fact, filters));
    const hidden = link.facts.length - shown.length;
    const ends = [...new Set(link.ends)].map((uuid) => {
      const node = this.model.nodes.get(uuid)!;
      const hop = el("button", { class: "hop end", attrs: { type: "button" }, on: { click: (event) => this.events.pick(uuid, event.detail === 0) } });
      hop.append(dot(colours.get(typeOf(node)) ?? OTHER), said(oneLine(node.name, 120) || "(no name)", "name"));
      return hop;
    });
    this.open(
      canGoBack,
      el("p", { class: "kind" }, "Between"),
      el("h2", { class: "unseen", attrs: { tabindex: -1 } }, "Facts between ", ...ends.map((end) => said(`${end.textContent ?? ""} `))),
      el("div", { class: "ends" }, ...ends),
      ...shown.map((fact) => this.wholeFact(fact)),
      hidden > 0 ? el("p", { class: "hint" }, `${count(hidden, "fact")} hidden by the filters.`) : null,
    );
  }

  private wholeFact(fact: Fact): HTMLElement {
    const name = (uuid: string): HTMLElement => said(oneLine(this.model.nodes.get(uuid)?.name ?? uuid, 60));
    return el(
      "section", { class: `whole${ended(fact) ? " ended" : ""}` },
      el("p", { class: "triple" }, name(fact.source), el("span", { class: "predicate" }, " → ", said(oneLine(fact.predicate, 60)), " → "), name(fact.target)),
      scrolling("Fact", "prose", clean(fact.fact)),
      el("p", { class: "small" }, span(fact), fact.relation_type ? said(` ${oneLine(fact.relation_type, 60)}`, "chip") : null, said(oneLine(fact.group, 60), "group")),
      this.sources.section(fact.sources, fact.source_count),
    );
  }
}

function ended(fact: Fact): boolean {
  return fact.span.until !== Infinity;
}

function span(fact: Fact): HTMLElement | null {
  const words = formatSpan(fact.valid_at, fact.invalid_at);
  return words ? el("span", { class: "when" }, words) : null;
}

function attributesOf(attributes: Record<string, unknown>): HTMLElement | null {
  const entries = Object.entries(attributes);
  if (entries.length === 0) return null;
  const rows = entries.flatMap(([key, value]) => [
    el("dt", {}, said(oneLine(key, 60))),
    el("dd", {}, said(clean(typeof value === "string" ? value : JSON.stringify(value)).slice(0, 2000))),
  ]);
  return el("dl", {}, ...rows);
}

export function typeName(type: string): string {
  return type === UNTYPED ? "without a type" : type;
}
