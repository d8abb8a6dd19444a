/** Makes elements. Texts become text nodes only, so nothing that the graph holds is ever read as markup. */

type Child = Node | string | null | undefined | false;
type Listeners = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

export interface Properties {
  class?: string;
  /** Attributes; null leaves one out. */
  attrs?: Record<string, string | number | boolean | null>;
  on?: Listeners;
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (properties.class) element.className = properties.class;
  for (const [name, value] of Object.entries(properties.attrs ?? {})) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const [name, listener] of Object.entries(properties.on ?? {})) {
    element.addEventListener(name, listener as EventListener);
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

/** A text of the graph, whatever its direction, that does not turn what stands around it. */
export function said(text: string, style = ""): HTMLElement {
  return el("bdi", style ? { class: style } : {}, text);
}

/** A text that scrolls where it is long; by keyboard, too. */
export function scrolling(label: string, style: string, text: string): HTMLElement {
  return el("div", { class: style, attrs: { tabindex: 0, role: "group", "aria-label": label, "data-scrolls": true } }, said(text));
}

export function button(label: string, style: string, act: () => void, attrs: Properties["attrs"] = {}): HTMLButtonElement {
  return el("button", { class: style, attrs: { type: "button", ...attrs }, on: { click: act } }, label);
}

const ICONS = {
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3",
  theme: "M8 2a6 6 0 1 0 0 12V2Z",
  help: "M6 6a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1.1M8 11.6v.2",
  close: "M4 4l8 8M12 4l-8 8",
  back: "M9.5 3.5 5 8l4.5 4.5",
  next: "M6.5 3.5 11 8l-4.5 4.5",
  search: "M11 11l3 3M7 12A5 5 0 1 1 7 2a5 5 0 0 1 0 10Z",
} as const;

export function icon(name: keyof typeof ICONS): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("viewBox", "0 0 16 16");
  drawing.setAttribute("aria-hidden", "true");
  drawing.setAttribute("class", "icon");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name]);
  drawing.append(path);
  return drawing;
}

export function iconButton(name: keyof typeof ICONS, label: string, act: () => void): HTMLButtonElement {
  const made = el("button", { class: "icon-button", attrs: { type: "button", "aria-label": label, title: label }, on: { click: act } });
  made.append(icon(name));
  return made;
}

/** Let the arrow keys move the focus among those elements of a container that match. */
export function walkWithArrows(container: HTMLElement, selector: string, before?: () => void): void {
  container.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    if (event.target instanceof HTMLInputElement || (event.target as HTMLElement).dataset["scrolls"] !== undefined) return;
    const stops = [...container.querySelectorAll<HTMLElement>(selector)].filter((stop) => stop.offsetParent !== null);
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const next = at + (event.key === "ArrowDown" ? 1 : -1);
    if (next < 0 && before) before();
    else stops[Math.min(stops.length - 1, Math.max(0, next))]?.focus();
    event.preventDefault();
  });
}
