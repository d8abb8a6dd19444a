/** The bar below the drawing: a slider over the times at which facts begin and end, above a curve of how many hold. */

import { el, iconButton } from "./dom.js";
import { formatMoment, histogram, momentsOf, nextMoment, type Span } from "./time.js";

const STEPS = 1000;
const CURVE_STEPS = 120;

export class Timeline {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly whole: HTMLInputElement;
  private readonly label = el("output", { class: "moment" });
  private readonly ends = el("div", { class: "time-ends", attrs: { "aria-hidden": true } });
  private readonly curve = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  private moments: number[] = [];
  private from = 0;
  private until = 1;
  private moment: number | null = null;

  constructor(private readonly changed: (moment: number | null) => void) {
    this.slider = el("input", {
      attrs: { type: "range", min: 0, max: STEPS, value: STEPS, "aria-label": "Show facts that hold at this time" },
      on: { input: () => this.set(this.from + (this.slider.valueAsNumber / STEPS) * (this.until - this.from)) },
    });
    this.whole = el("input", { attrs: { type: "checkbox", checked: true }, on: { change: () => this.set(this.whole.checked ? null : this.until) } });
    this.curve.setAttribute("class", "curve");
    this.curve.setAttribute("viewBox", `0 0 ${CURVE_STEPS - 1} 20`);
    this.curve.setAttribute("preserveAspectRatio", "none");
    this.curve.setAttribute("aria-hidden", "true");
    this.element = el(
      "div", { class: "time", attrs: { role: "group", "aria-label": "Time", hidden: true } },
      el(
        "div", { class: "time-row" },
        el("label", { class: "whole-time" }, this.whole, "All times"), this.label,
        iconButton("back", "The change before", () => this.step(-1)), iconButton("next", "The next change", () => this.step(1)),
      ),
      el("div", { class: "track" }, this.curve, this.slider), this.ends,
    );
  }

  /** Take in the times of all facts; without any there is no bar. */
  load(spans: readonly Span[]): void {
    this.moments = momentsOf(spans);
    this.element.hidden = this.moments.length < 2;
    if (this.element.hidden) return;
    const [first, last] = [this.moments[0]!, this.moments.at(-1)!];
    const margin = Math.max((last - first) * 0.02, 1000);
    this.from = first - margin;
    this.until = last + margin;
    this.draw(histogram(spans, this.from, this.until, CURVE_STEPS));
    const range = this.until - this.from;
    this.ends.replaceChildren(el("span", {}, formatMoment(first, range)), el("span", {}, formatMoment(last, range)));
    this.tell();
  }

  private draw(counts: number[]): void {
    const most = Math.max(1, ...counts);
    const points = counts.map((count, index) => `${index},${(20 - (count / most) * 19).toFixed(2)}`);
    const area = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
    area.setAttribute("points", `0,20 ${points.join(" ")} ${CURVE_STEPS - 1},20`);
    this.curve.replaceChildren(area);
  }

  /** Show another moment; null shows all times. */
  set(moment: number | null): void {
    this.moment = moment;
    this.tell();
    this.changed(moment);
  }

  private step(direction: 1 | -1): void {
    const from = this.moment ?? (direction > 0 ? -Infinity : Infinity);
    const found = nextMoment(this.moments, from, direction);
    if (found !== null) this.set(found);
  }

  private tell(): void {
    const range = this.until - this.from;
    this.whole.checked = this.moment === null;
    this.element.classList.toggle("on", this.moment !== null);
    const shown = this.moment ?? this.until;
    this.slider.value = String(Math.round(((shown - this.from) / range) * STEPS));
    const words = this.moment === null ? "Facts of all times" : `Holding at ${formatMoment(this.moment, range)}`;
    this.label.textContent = words;
    this.slider.setAttribute("aria-valuetext", words);
  }
}
