/** Where something was read: the texts themselves, one click away. */

import { el, said, scrolling } from "./dom.js";
import type { Model } from "./model.js";
import type { Remote } from "./remote.js";
import { clean, count, oneLine } from "./text.js";
import { shortTime } from "./time.js";

export class SourceList {
  constructor(
    private readonly model: Model,
    private readonly remote: Remote | null,
  ) {}

  section(uuids: readonly string[], total: number): HTMLElement | null {
    if (total === 0) return null;
    const left = total - uuids.length;
    return el(
      "section", { class: "sources" },
      el("h3", {}, "Sources", el("span", { class: "count" }, String(total))),
      ...uuids.map((uuid) => this.source(uuid)),
      left > 0 ? el("p", { class: "hint" }, `${count(left, "more source")} not listed.`) : null,
    );
  }

  private source(uuid: string): HTMLElement {
    const source = this.model.sources.get(uuid);
    const text = el("div", { class: "source-text" });
    const made = el("details", {}, el("summary", {}, said(oneLine(source?.label ?? "", 200) || "a text without a name")), text);
    made.addEventListener("toggle", () => {
      if (made.open && !text.hasChildNodes()) void this.fill(uuid, text);
    });
    return made;
  }

  private async fill(uuid: string, into: HTMLElement): Promise<void> {
    const known = this.model.sources.get(uuid);
    if (known && known.text === null && this.remote) {
      into.textContent = "…";
      try {
        this.model.sources.set(uuid, await this.remote.source(uuid));
      } catch (error) {
        into.replaceChildren(el("p", { class: "hint" }, error instanceof Error ? error.message : String(error)));
        return;
      }
    }
    const source = this.model.sources.get(uuid);
    if (!source || source.text === null) {
      into.replaceChildren(el("p", { class: "hint" }, "This file does not hold the text, so that it stays small."));
      return;
    }
    into.replaceChildren(
      el("p", { class: "small" }, shortTime(source.created_at), said(oneLine(source.group, 60), "group")),
      scrolling("Text", "passage", clean(source.text)),
      ...(source.cut ? [el("p", { class: "hint" }, "Only the beginning of a long text.")] : []),
    );
  }
}
