/** The list of keys, in a dialog of its own. */

import { button, el } from "./dom.js";
import { KEYS } from "./keys.js";

export function helpDialog(): HTMLDialogElement {
  const rows = KEYS.flatMap(([keys, what]) => [
    el("dt", {}, ...keys.split(" ").map((key) => el("kbd", {}, key))),
    el("dd", {}, what),
  ]);
  const dialog = el(
    "dialog", { class: "help", attrs: { "aria-labelledby": "help-title" } },
    el("h2", { attrs: { id: "help-title" } }, "Keyboard"), el("dl", {}, ...rows),
    el("p", { class: "hint" }, "A double click on an entity loads its neighbours, where a service is there to ask."),
    button("Close", "wide", () => dialog.close()),
  );
  return dialog;
}
