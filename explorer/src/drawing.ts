/** Draws the names of entities: with a rim of the ground's colour, so that they can be read over lines. */

import type { NodeDisplayData, PartialButFor } from "sigma/types";
import { FONT, type Ink } from "./ink.js";

type Drawn = PartialButFor<NodeDisplayData, "x" | "y" | "size" | "label" | "color">;
type Draw = (context: CanvasRenderingContext2D, data: Drawn) => void;

/** Return the height of an entity's name, by how large the entity is drawn. */
function letterSize(size: number): number {
  return Math.round(Math.min(16, 10.5 + size * 0.32));
}

function prepare(context: CanvasRenderingContext2D, data: Drawn): number {
  const height = letterSize(data.size);
  context.font = `${data.size > 9 ? 600 : 500} ${height}px ${FONT}`;
  context.textBaseline = "middle";
  return height;
}

/** Draws names so that none stands on another: the larger the entity, the sooner its name gets its place. */
export class Labels {
  private waiting: { context: CanvasRenderingContext2D; data: Drawn }[] = [];

  constructor(private readonly ink: () => Ink) {}

  /** Remember a name of the picture that is being drawn. */
  readonly add: Draw = (context, data) => {
    if (data.label) this.waiting.push({ context, data });
  };

  /** Forget the names of the picture before. */
  begin(): void {
    this.waiting = [];
  }

  /** Draw the names that there is room for. */
  finish(): void {
    const taken: Box[] = [];
    for (const { context, data } of this.waiting.sort((a, b) => b.data.size - a.data.size)) {
      const height = prepare(context, data);
      const x = data.x + data.size + 4;
      const box = { left: x - 2, right: x + context.measureText(data.label!).width + 2, top: data.y - height * 0.62, bottom: data.y + height * 0.62 };
      if (taken.some((other) => overlap(box, other))) continue;
      taken.push(box);
      context.lineJoin = "round";
      context.lineWidth = 3.5;
      context.strokeStyle = this.ink().ground;
      context.strokeText(data.label!, x, data.y);
      context.fillStyle = this.ink().text;
      context.fillText(data.label!, x, data.y);
    }
    this.waiting = [];
  }
}

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

export function hoversIn(ink: () => Ink): Draw {
  return (context, data) => {
    const { card, border, text, ground } = ink();
    const height = prepare(context, data);
    if (data.label) {
      const x = data.x + data.size + 4;
      const width = context.measureText(data.label).width;
      context.beginPath();
      context.roundRect(x - 7, data.y - height / 2 - 6, width + 14, height + 12, 7);
      context.fillStyle = card;
      context.shadowColor = "rgba(0, 0, 0, 0.22)";
      context.shadowBlur = 10;
      context.shadowOffsetY = 2;
      context.fill();
      context.shadowColor = "transparent";
      context.lineWidth = 1;
      context.strokeStyle = border;
      context.stroke();
      context.fillStyle = text;
      context.fillText(data.label, x, data.y);
    }
    context.beginPath();
    context.arc(data.x, data.y, data.size + 3.5, 0, Math.PI * 2);
    context.lineWidth = 2;
    context.strokeStyle = data.color;
    context.stroke();
    context.beginPath();
    context.arc(data.x, data.y, data.size + 1, 0, Math.PI * 2);
    context.fillStyle = ground;
    context.fill();
    context.beginPath();
    context.arc(data.x, data.y, data.size, 0, Math.PI * 2);
    context.fillStyle = data.color;
    context.fill();
  };
}
