/** Keys that work everywhere on the page, except where somebody types. */

export interface KeyActions {
  search(): void;
  escape(): void;
  zoom(factor: number): void;
  fit(): void;
  theme(): void;
  help(): void;
  back(): void;
}

/** Each key with what it does, as the help lists it. */
export const KEYS: readonly (readonly [string, string])[] = [
  ["/", "search"],
  ["↓ ↑", "walk through results, facts and neighbours"],
  ["Enter", "open what has the focus; in the search, the best result"],
  ["Tab", "go on to the next control"],
  ["Backspace", "back to what was open before"],
  ["Esc", "close the details, then empty the search"],
  ["+ −", "nearer, farther"],
  ["0", "show everything"],
  ["← ↑ → ↓", "move the drawing, when it has the focus"],
  ["t", "dark or light"],
  ["?", "this list"],
];

export function listenToKeys(actions: KeyActions): void {
  const by: Record<string, () => void> = {
    "/": actions.search, "+": () => actions.zoom(1 / 1.5), "=": () => actions.zoom(1 / 1.5), "-": () => actions.zoom(1.5),
    "0": actions.fit, t: actions.theme, "?": actions.help, Backspace: actions.back,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") {
      event.preventDefault();
      actions.escape();
      return;
    }
    const action = isTyping(event.target) ? undefined : by[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && (target.type === "search" || target.type === "text");
}
