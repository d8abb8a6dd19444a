/** The middle of the page: the drawing where a browser can draw, else a sentence; and the layout that fills it. */

import type { NodeRecord } from "./data.js";
import { el } from "./dom.js";
import type { Shown } from "./filters.js";
import { iterationsFor, startLayout, type Progress } from "./layout.js";
import { groupsOf, isWhole, placeAround } from "./placing.js";
import type { Link } from "./model.js";
import type { Shade } from "./palette.js";
import { ring, spiral } from "./positions.js";
import { Scene, type Events, type Focus } from "./scene.js";

const STEPS_FOR_MORE = 60;

export class Stage {
  readonly element: HTMLElement;
  private readonly scene: Scene | null;
  private stop: (() => void) | null = null;
  private order = 0;

  constructor(canDraw: boolean, events: Events) {
    const container = el("div", { class: "stage", attrs: { tabindex: 0, role: "application", "aria-label": "Drawing", "aria-roledescription": "graph" } });
    this.element = container;
    if (canDraw) {
      this.scene = new Scene(container, events);
      container.addEventListener("keydown", (event) => this.onKey(event));
      new ResizeObserver(() => this.scene?.resize()).observe(container);
    } else {
      this.scene = null;
      container.append(el("p", { class: "plain" }, "This browser has no WebGL, so nothing is drawn. Search, facts and sources work without it."));
    }
    tell(canDraw ? "waiting" : "none");
  }

  private onKey(event: KeyboardEvent): void {
    const moves: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const move = moves[event.key];
    if (!move || event.target !== this.element) return;
    this.scene?.pan(...move);
    event.preventDefault();
  }

  // -- Layout

  add(nodes: readonly NodeRecord[], links: readonly Link[], around?: string): void {
    const { scene } = this;
    if (!scene) return;
    const known = scene.graph.order;
    // Later ones are as large as if they had been there from the beginning.
    if (known === 0) this.order = nodes.length;
    const centre = around !== undefined && scene.graph.hasNode(around) ? scene.graph.getNodeAttributes(around) : null;
    const near = centre ? ring(centre, this.spread() * 0.06, nodes.length) : [];
    nodes.forEach((node, index) => scene.addNode(node, near[index] ?? spiral(known + index, 10), this.order));
    links.forEach((link) => scene.addLink(link));
    if (around !== undefined && nodes.length > 0) this.arrange(new Set(nodes.map((node) => node.uuid)));
  }

  private spread(): number {
    const { x, y } = this.scene!.sigma.getBBox();
    return Math.max(x[1] - x[0], y[1] - y[0]);
  }

  /** Find places for all entities, or only for some while the others stay. */
  arrange(only?: ReadonlySet<string>): void {
    const { scene } = this;
    if (!scene) return;
    this.stop?.();
    tell("moving");
    const { large, small } = only ? { large: scene.graph.nodes(), small: [] } : groupsOf(scene);
    const index = new Map(large.map((uuid, position) => [uuid, position]));
    const placed = large.map((uuid) => {
      const { x, y, size } = scene.graph.getNodeAttributes(uuid);
      return { x, y, size, fixed: only !== undefined && !only.has(uuid) };
    });
    const joined = scene.graph.mapEdges((_, { size }, a, b) => ({ source: index.get(a), target: index.get(b), weight: Math.max(1, size) }));
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const progress = ({ places, share }: Progress): void => {
      if (!still || share >= 1) {
        scene.place(large, places);
        placeAround(scene, places, small);
      }
      if (share >= 1) tell("settled");
    };
    if (large.length === 0) progress({ places: new Float32Array(0), share: 1 });
    else this.stop = startLayout(placed, joined.filter(isWhole), only ? STEPS_FOR_MORE : iterationsFor(large.length), progress);
  }

  // -- What is shown

  show(shown: Shown, colours: Map<string, Shade>, dark: boolean): void {
    this.scene?.show(shown, colours, dark);
  }

  describe(text: string): void {
    this.element.setAttribute("aria-label", text);
  }

  select(focus: Focus): void {
    this.scene?.select(focus);
  }

  preview(uuid: string | null): void {
    if (uuid === null || this.scene?.graph.hasNode(uuid)) this.scene?.hover(uuid === null ? null : { node: uuid });
  }

  travel(uuids: string[]): void {
    const { scene } = this;
    if (!scene) return;
    tell("moving");
    // Only after the panel has taken its room.
    requestAnimationFrame(() => requestAnimationFrame(() => void scene.goTo(uuids).then(() => tell("settled"))));
  }

  zoom(factor: number): void {
    this.scene?.zoom(factor);
  }

  fit(): void {
    this.scene?.fit();
  }

  focus(): void {
    this.element.focus();
  }
}

/** Say on the page whether the drawing still moves by itself, for those who look at it by program. */
function tell(state: "waiting" | "moving" | "settled" | "none"): void {
  document.documentElement.dataset["drawing"] = state;
}
