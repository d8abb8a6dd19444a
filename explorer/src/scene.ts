/** The drawing: entities and links on the stage, what stands out and what fades, and the camera. */

import { UndirectedGraph } from "graphology";
import Sigma from "sigma";
import type { EdgeDisplayData, NodeDisplayData } from "sigma/types";
import type { NodeRecord } from "./data.js";
import { hoversIn, Labels } from "./drawing.js";
import type { Shown } from "./filters.js";
import { DARK, FONT, LIGHT, type Ink } from "./ink.js";
import { linkKey, typeOf, type Link } from "./model.js";
import { mixed, OTHER, type Shade } from "./palette.js";
import { oneLine } from "./text.js";

export interface Point {
  x: number;
  y: number;
}

interface NodeAttributes extends Point {
  size: number;
  label: string;
  type: string;
}

interface EdgeAttributes {
  size: number;
}

export type Focus = { node: string } | { link: string } | null;

export interface Events {
  pickNode(uuid: string): void;
  pickLink(key: string): void;
  pickNothing(): void;
  openNode(uuid: string): void;
}

const LABEL_LENGTH = 42;
/** With more neighbours than this only the important ones keep their names beside an entity that stands out. */
const MOST_NAMED = 30;

/** In a graph with more entities than this, pointing at one leaves those that are not its neighbours as they are. */
const MOST_FADED = 6000;
/** Movements that are this slow (milliseconds between two pictures), so many in a row, are too slow for all lines. */
const SLOW = { least: 60, most: 600, pictures: 8 };

/** Say whether this browser can draw at all. */
export function hasWebGL(): boolean {
  try {
    const canvas = document.createElement("canvas");
    return Boolean(canvas.getContext("webgl2") ?? canvas.getContext("webgl"));
  } catch {
    return false;
  }
}

/** Return the radius of an entity in pixels: by its facts, and smaller in larger graphs. */
export function nodeSize(degree: number, order: number): number {
  const crowd = Math.min(1, Math.pow(400 / Math.max(order, 1), 0.24));
  return Math.min(22, 3 + 1.3 * Math.sqrt(degree)) * crowd;
}

export class Scene {
  readonly graph = new UndirectedGraph<NodeAttributes, EdgeAttributes>();
  readonly sigma: Sigma<NodeAttributes, EdgeAttributes>;
  private shown: Shown = { nodes: new Set(), links: new Set(), quiet: new Set(), facts: 0 };
  private colours = new Map<string, Shade>();
  private selected: Focus = null;
  private hovered: Focus = null;
  private near = new Set<string>();
  private ink: Ink = LIGHT;
  private pending = 0;
  private dark = false;
  private readonly labels = new Labels(() => this.ink);

  constructor(container: HTMLElement, events: Events) {
    this.sigma = new Sigma<NodeAttributes, EdgeAttributes>(this.graph, container, {
      allowInvalidContainer: true,
      defaultEdgeType: "line",
      defaultNodeType: "circle",
      labelFont: FONT,
      labelDensity: 1.6,
      labelGridCellSize: 100,
      labelRenderedSizeThreshold: 4,
      minEdgeThickness: 1.5,
      stagePadding: 48,
      zIndex: true,
      enableEdgeEvents: true,
      minCameraRatio: 0.02,
      maxCameraRatio: 4,
      zoomToSizeRatioFunction: (ratio) => Math.pow(ratio, 0.6),
      defaultDrawNodeLabel: this.labels.add,
      defaultDrawNodeHover: hoversIn(() => this.ink),
      nodeReducer: (uuid, data) => this.drawnNode(uuid, data),
      edgeReducer: (key) => this.drawnLink(key),
    });
    this.listen(events);
  }

  private listen(events: Events): void {
    this.sigma.on("beforeRender", () => this.labels.begin());
    this.sigma.on("afterRender", () => this.labels.finish());
    this.sigma.on("enterNode", ({ node }) => this.hover({ node }));
    this.sigma.on("leaveNode", () => this.hover(null));
    this.sigma.on("enterEdge", ({ edge }) => this.hover({ link: edge }));
    this.sigma.on("leaveEdge", () => this.hover(null));
    this.sigma.on("clickNode", ({ node }) => events.pickNode(node));
    this.sigma.on("clickEdge", ({ edge }) => events.pickLink(edge));
    this.sigma.on("clickStage", () => events.pickNothing());
    this.sigma.on("doubleClickNode", ({ node, preventSigmaDefault }) => {
      preventSigmaDefault();
      events.openNode(node);
    });
    this.watchPace();
  }

  /** Leave lines out while the drawing moves, once it has turned out that this machine cannot keep up. */
  private watchPace(): void {
    let [last, slow] = [0, 0];
    this.sigma.getCamera().on("updated", () => {
      const gap = performance.now() - last;
      last += gap;
      slow = gap >= SLOW.least && gap <= SLOW.most ? slow + 1 : 0;
      if (slow === SLOW.pictures) this.sigma.setSetting("hideEdgesOnMove", true);
    });
  }

  // -- What there is

  addNode(node: NodeRecord, at: Point, order: number): void {
    const label = oneLine(node.name, LABEL_LENGTH) || "(no name)";
    this.graph.addNode(node.uuid, { ...at, size: nodeSize(node.degree, order), label, type: "circle" });
    this.types.set(node.uuid, typeOf(node));
  }

  private readonly types = new Map<string, string>();

  addLink(link: Link): void {
    // What joins an entity to itself is in its panel; a line of no length is not drawn.
    if (link.ends[0] === link.ends[1]) return;
    this.graph.addUndirectedEdgeWithKey(link.key, link.ends[0], link.ends[1], {
      size: Math.min(4, 1.2 + 0.45 * Math.log2(link.facts.length)),
    });
  }

  place(uuids: readonly string[], places: Float32Array): void {
    const index = new Map(uuids.map((uuid, position) => [uuid, position]));
    this.graph.updateEachNodeAttributes(
      (uuid, attributes) => {
        const position = index.get(uuid);
        if (position !== undefined) {
          attributes.x = places[2 * position]!;
          attributes.y = places[2 * position + 1]!;
        }
        return attributes;
      },
      { attributes: ["x", "y"] },
    );
  }

  // -- What stands out

  show(shown: Shown, colours: Map<string, Shade>, dark: boolean): void {
    this.shown = shown;
    this.colours = colours;
    this.dark = dark;
    this.ink = dark ? DARK : LIGHT;
    this.refresh();
  }

  select(focus: Focus): void {
    this.selected = focus;
    this.hovered = null;
    this.refresh();
  }

  hover(focus: Focus): void {
    this.hovered = focus;
    this.sigma.getContainer().classList.toggle("pointing", focus !== null);
    // Leaving one and entering the next come together, and are shown together.
    cancelAnimationFrame(this.pending);
    this.pending = requestAnimationFrame(() => this.showHovered());
  }

  private showHovered(): void {
    if (this.graph.order <= MOST_FADED) return this.refresh();
    const changed = new Set(this.near);
    this.near = this.nearOf(this.focus);
    for (const uuid of this.near) changed.add(uuid);
    const nodes = [...changed];
    const edges = [...new Set(nodes.flatMap((uuid) => this.graph.edges(uuid)))];
    this.sigma.refresh({ partialGraph: { nodes, edges }, skipIndexation: true, schedule: true });
  }

  private refresh(): void {
    this.near = this.nearOf(this.focus);
    this.sigma.refresh({ schedule: true });
  }

  /** Say whether what does not stand out fades. */
  private get fades(): boolean {
    return this.selected !== null || this.graph.order <= MOST_FADED;
  }

  private get focus(): Focus {
    return this.hovered ?? this.selected;
  }

  private nearOf(focus: Focus): Set<string> {
    if (focus === null) return new Set();
    if ("link" in focus) return new Set(this.graph.hasEdge(focus.link) ? this.graph.extremities(focus.link) : []);
    if (!this.graph.hasNode(focus.node)) return new Set();
    const joined = this.graph.neighbors(focus.node).filter((other) => this.shown.links.has(linkKey(focus.node, other)));
    return new Set([focus.node, ...joined]);
  }

  private colour(uuid: string): string {
    const shade = this.colours.get(this.types.get(uuid) ?? "") ?? OTHER;
    return this.dark ? shade.dark : shade.light;
  }

  private drawnNode(uuid: string, data: NodeAttributes): Partial<NodeDisplayData> {
    if (!this.shown.nodes.has(uuid)) return { ...data, hidden: true };
    const colour = this.colour(uuid);
    if (this.near.size > 0) return this.besideFocus(uuid, data, colour);
    if (this.shown.quiet.has(uuid)) return { ...data, label: "", color: mixed(colour, this.ink.ground, 0.82), size: data.size * 0.6 };
    return { ...data, color: colour, zIndex: 1 };
  }

  private besideFocus(uuid: string, data: NodeAttributes, colour: string): Partial<NodeDisplayData> {
    const focus = this.focus;
    if (!this.near.has(uuid)) {
      if (!this.fades) return { ...data, color: colour, zIndex: 1 };
      return { ...data, label: "", color: mixed(colour, this.ink.ground, this.dark ? 0.8 : 0.84), zIndex: 0 };
    }
    const isCentre = focus !== null && "node" in focus && focus.node === uuid;
    const named = isCentre || this.near.size <= MOST_NAMED;
    return { ...data, color: colour, zIndex: 2, forceLabel: named, highlighted: isCentre };
  }

  private drawnLink(key: string): Partial<EdgeDisplayData> {
    if (!this.shown.links.has(key)) return { hidden: true };
    const size = this.graph.getEdgeAttribute(key, "size");
    const focus = this.focus;
    if (focus === null) return { size, color: this.ink.line, zIndex: 0 };
    const [a, b] = this.graph.extremities(key);
    const stands = "link" in focus ? focus.link === key : focus.node === a || focus.node === b;
    if (!stands) return { size, color: this.fades ? this.ink.lineFaint : this.ink.line, zIndex: 0 };
    if ("link" in focus) return { size: size + 1.2, color: this.ink.accent, zIndex: 2 };
    return { size: size + 0.5, color: mixed(this.colour(focus.node === a ? b : a), this.ink.ground, 0.3), zIndex: 2 };
  }

  // -- The camera

  zoom(factor: number): void {
    const camera = this.sigma.getCamera();
    void camera.animate({ ratio: camera.getBoundedRatio(camera.ratio * factor) }, { duration: pace(180) });
  }

  fit(): void {
    void this.sigma.getCamera().animate({ x: 0.5, y: 0.5, ratio: 1, angle: 0 }, { duration: pace(300) });
  }

  /** Bring entities into the middle, nearer when they are far away. */
  async goTo(uuids: readonly string[]): Promise<void> {
    // What sigma keeps of an entity is in other units until it has drawn it anew, in the room that there is now.
    this.sigma.resize();
    this.sigma.refresh();
    const drawn = uuids.map((uuid) => this.sigma.getNodeDisplayData(uuid)).filter((each) => each !== undefined);
    if (drawn.length === 0) return;
    const x = drawn.reduce((sum, each) => sum + each.x, 0) / drawn.length;
    const y = drawn.reduce((sum, each) => sum + each.y, 0) / drawn.length;
    const camera = this.sigma.getCamera();
    await camera.animate({ x, y, ratio: Math.min(camera.ratio, this.graph.order < 150 ? 0.8 : 0.45) }, { duration: pace(350) });
  }

  pan(right: number, down: number): void {
    const camera = this.sigma.getCamera();
    camera.setState({ x: camera.x + right * 0.08 * camera.ratio, y: camera.y - down * 0.08 * camera.ratio });
  }

  resize(): void {
    this.sigma.resize();
    this.sigma.refresh({ schedule: true });
  }
}

function pace(milliseconds: number): number {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : milliseconds;
}
