/** Puts the parts of the page together: what is selected, searched for and filtered, and what each part shows of it. */

import type { GraphData, NodeRecord, Part } from "./data.js";
import { el, iconButton } from "./dom.js";
import { NO_FILTERS, shownBy, toggled, type Filters } from "./filters.js";
import { helpDialog } from "./help.js";
import { listenToKeys } from "./keys.js";
import { counted, Model, typeOf } from "./model.js";
import { coloursOf, type Shade } from "./palette.js";
import { Panel } from "./panel.js";
import type { Remote } from "./remote.js";
import { Sidebar, type Counts, type FilterKind, type Results } from "./sidebar.js";
import { SearchIndex } from "./search.js";
import { SourceList } from "./sources.js";
import { Stage } from "./stage.js";
import { count, oneLine } from "./text.js";
import { Theme } from "./theme.js";
import { Timeline } from "./timeline.js";
import { hasWebGL, type Focus } from "./scene.js";

const MOST_RESULTS = 50;
const PAUSE_MS = 250;

export class Explorer {
  private readonly model = new Model();
  private readonly index = new SearchIndex();
  private readonly sidebar: Sidebar;
  private readonly panel: Panel;
  private readonly stage: Stage;
  private readonly timeline: Timeline;
  private readonly theme: Theme;
  private readonly message = el("p", { class: "message", attrs: { role: "alert", hidden: true } });
  private filters: Filters = NO_FILTERS;
  private colours = new Map<string, Shade>();
  private results: Results | null = null;
  private selected: Focus = null;
  private readonly before: Focus[] = [];
  private pause = 0;

  constructor(
    private readonly app: HTMLElement,
    private readonly data: GraphData,
    private readonly remote: Remote | null,
  ) {
    this.theme = new Theme(() => this.repaint());
    this.sidebar = new Sidebar(data, {
      search: (query) => this.search(query),
      pick: (uuid, byKeyboard) => void this.pick({ node: uuid }, { byKeyboard, travel: true }),
      preview: (uuid) => this.stage.preview(uuid),
      toggle: (kind, key) => this.filter({ [kind]: toggled(this.filters[kind], key) }),
      only: (kind, key) => this.only(kind, key),
    });
    this.panel = new Panel(this.model, new SourceList(this.model, remote), {
      pick: (uuid, byKeyboard) => void this.pick({ node: uuid }, { byKeyboard, travel: true }),
      pickLink: (key, byKeyboard) => void this.pick({ link: key }, { byKeyboard, travel: true }),
      preview: (uuid) => this.stage.preview(uuid),
      more: remote ? (uuid) => void this.more(uuid) : null,
      back: () => this.back(),
      close: () => this.deselect(),
    });
    this.timeline = new Timeline((moment) => this.filter({ moment }));
    this.stage = new Stage(hasWebGL(), {
      pickNode: (uuid) => void this.pick({ node: uuid }, { byKeyboard: false, travel: false }),
      pickLink: (key) => void this.pick({ link: key }, { byKeyboard: false, travel: false }),
      pickNothing: () => this.deselect(),
      openNode: (uuid) => void this.more(uuid),
    });
    this.build();
    this.take(data);
    this.stage.arrange();
    listenToKeys({
      search: () => this.sidebar.focusSearch(), escape: () => this.escape(), zoom: (factor) => this.stage.zoom(factor),
      fit: () => this.stage.fit(), theme: () => this.theme.toggle(), help: () => this.help.showModal(), back: () => this.back(),
    });
  }

  private readonly help = helpDialog();

  private build(): void {
    const tools = el(
      "div", { class: "tools", attrs: { role: "toolbar", "aria-label": "View" } },
      iconButton("plus", "Nearer (+)", () => this.stage.zoom(1 / 1.5)), iconButton("minus", "Farther (−)", () => this.stage.zoom(1.5)),
      iconButton("fit", "Show everything (0)", () => this.stage.fit()), iconButton("theme", "Dark or light (t)", () => this.theme.toggle()),
      iconButton("help", "Keyboard (?)", () => this.help.showModal()),
    );
    const nothing = this.data.nodes.length > 0 ? null : el("p", { class: "plain nothing" }, "There is nothing to show yet. `lcg ingest` reads documents into the graph.");
    const main = el("main", { class: "middle" }, this.stage.element, nothing, tools, this.message, this.timeline.element);
    this.app.className = "app";
    this.app.replaceChildren(this.sidebar.element, main, this.panel.element, this.help);
    document.title = oneLine(this.data.title, 80);
  }

  // -- Data

  private take(part: Part, around?: string): void {
    const fresh = this.model.add(part);
    this.index.add(fresh.nodes);
    this.colours = coloursOf(counted(this.model.nodes.values(), typeOf));
    this.stage.add(fresh.nodes, fresh.links, around);
    this.timeline.load([...this.model.facts.values()].map((fact) => fact.span));
    this.repaint();
  }

  /** Load neighbours that are not here yet. */
  private async more(uuid: string): Promise<void> {
    if (!this.remote || this.model.missingFacts(uuid) === 0) return;
    await this.attempt(async () => {
      let offset = 0;
      const known = this.model.facts.size;
      // Pages may hold only what is here already; one with something new is enough for one wish.
      for (let again = true; again; ) {
        const part = await this.remote!.around(uuid, offset);
        this.take(part, uuid);
        offset = part.next;
        again = part.has_more && this.model.facts.size === known;
      }
      if (this.isSelected({ node: uuid })) this.open(this.selected);
    });
  }

  private async attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
      this.message.hidden = true;
    } catch (error) {
      this.message.textContent = error instanceof Error ? error.message : String(error);
      this.message.hidden = false;
    }
  }

  // -- Selection

  private async pick(focus: Focus, how: { byKeyboard: boolean; travel: boolean }): Promise<void> {
    if (focus && "node" in focus && !this.model.nodes.has(focus.node)) await this.bring(focus.node);
    if (this.selected && !this.isSelected(focus)) this.before.push(this.selected);
    this.open(focus);
    if (how.travel && focus) this.stage.travel("node" in focus ? [focus.node] : [...this.model.links.get(focus.link)!.ends]);
    if (how.byKeyboard) this.panel.focus();
  }

  /** Take in an entity that the service found beyond the drawing, with its neighbours. */
  private async bring(uuid: string): Promise<void> {
    const found = this.results?.beyond.find((node) => node.uuid === uuid);
    if (!found || !this.remote) return;
    await this.attempt(async () => {
      const part = await this.remote!.around(uuid, 0);
      this.take({ ...part, nodes: [found, ...part.nodes.filter((node) => node.uuid !== uuid)] }, uuid);
    });
  }

  private isSelected(focus: Focus): boolean {
    return JSON.stringify(this.selected) === JSON.stringify(focus);
  }

  private open(focus: Focus): void {
    this.selected = focus;
    this.app.classList.toggle("detailed", focus !== null);
    const canGoBack = this.before.length > 0;
    if (focus === null) this.panel.hide();
    else if ("node" in focus) this.panel.showNode(focus.node, this.filters, this.colours, canGoBack);
    else this.panel.showLink(this.model.links.get(focus.link)!, this.filters, this.colours, canGoBack);
    this.stage.select(focus);
  }

  private back(): void {
    const last = this.before.pop();
    if (!last) return;
    this.open(last);
    this.stage.travel("node" in last ? [last.node] : [...this.model.links.get(last.link)!.ends]);
    this.panel.focus();
  }

  private deselect(): void {
    this.before.length = 0;
    this.open(null);
  }

  private escape(): void {
    if (this.selected !== null) {
      this.deselect();
      if (this.results !== null) this.sidebar.focusSearch();
    } else if (!this.sidebar.clearSearch()) {
      this.stage.focus();
    }
  }

  // -- Search and filters

  private search(query: string): void {
    window.clearTimeout(this.pause);
    if (!query.trim()) {
      this.results = null;
    } else {
      this.results = { query, ...this.index.find(query, MOST_RESULTS), beyond: [] };
      if (this.remote) this.pause = window.setTimeout(() => void this.searchBeyond(query), PAUSE_MS);
    }
    this.sidebar.showResults(this.results, this.colours);
  }

  private async searchBeyond(query: string): Promise<void> {
    await this.attempt(async () => {
      const found: NodeRecord[] = await this.remote!.search(query);
      if (this.results?.query !== query) return;
      this.results.beyond = found.filter((node) => !this.model.nodes.has(node.uuid));
      this.sidebar.showResults(this.results, this.colours);
    });
  }

  private filter(change: Partial<Filters>): void {
    this.filters = { ...this.filters, ...change };
    this.repaint();
    if (this.selected) this.open(this.selected);
  }

  private only(kind: FilterKind, key: string): void {
    const counts = this.counts();
    const all = { hiddenTypes: counts.types, hiddenGroups: counts.groups, hiddenPredicates: counts.predicates }[kind];
    const others = [...all.keys()].filter((each) => each !== key);
    const isOnly = others.length > 0 && others.every((each) => this.filters[kind].has(each)) && !this.filters[kind].has(key);
    this.filter({ [kind]: new Set(isOnly ? [] : others) });
  }

  private counts(): Counts {
    return {
      types: counted(this.model.nodes.values(), typeOf),
      groups: counted(this.model.nodes.values(), (node) => node.group),
      predicates: counted(this.model.facts.values(), (fact) => fact.predicate),
    };
  }

  private repaint(): void {
    if (!this.stage) return; // the theme tells itself before there is anything to paint
    const shown = shownBy(this.model, this.filters);
    this.stage.show(shown, this.colours, this.theme.dark);
    this.sidebar.showFilters(this.counts(), this.filters, this.colours);
    const [nodes, facts] = [count(shown.nodes.size, "entity", "entities"), count(shown.facts, "fact")];
    this.sidebar.showNumbers(`${nodes} · ${facts}`, this.note());
    this.stage.describe(`Drawing of ${nodes} and ${facts}. Search with the / key; details list neighbours.`);
  }

  private note(): string {
    const left = this.data.total_nodes - this.model.nodes.size;
    if (left <= 0) return "";
    const rest = this.remote ? "Search finds the rest; details load more neighbours." : "`lcg view` shows the rest.";
    return `The best-connected ${this.model.nodes.size.toLocaleString("en")} of ${count(this.data.total_nodes, "entity", "entities")}. ${rest}`;
  }
}
