import assert from "node:assert/strict";
import { test } from "node:test";
import { readGraph } from "../src/data.js";
import { NO_FILTERS, shownBy, toggled } from "../src/filters.js";
import { linkKey, Model } from "../src/model.js";
import { coloursOf, mixed, OTHER, SHADES, UNTYPED } from "../src/palette.js";
import { SearchIndex } from "../src/search.js";
import { fact, node } from "./made.js";

function model(): Model {
  const made = new Model();
  made.add({
    nodes: [node("a", { types: ["Person"], degree: 3 }), node("b", { types: ["Place"], degree: 2 }), node("c", { group: "h" })],
    facts: [
      fact("f1", "a", "b", { valid_at: "2024-01-01 00:00:00", invalid_at: "2025-01-01 00:00:00" }),
      fact("f2", "b", "a", { predicate: "LIKES" }),
      fact("f3", "a", "nowhere"),
    ],
    sources: [],
  });
  return made;
}

test("facts between the same two entities are one link, and those without both ends are left out", () => {
  const made = model();
  assert.deepEqual([...made.links.keys()], [linkKey("b", "a")]);
  assert.deepEqual(made.factsOf("b").map(({ uuid }) => uuid), ["f1", "f2"]);
  assert.equal(made.missingFacts("a"), 1);
});

test("what comes a second time changes nothing, and what comes later joins what is here", () => {
  const made = model();
  const part = { nodes: [node("a"), node("nowhere")], facts: [fact("f1", "a", "b"), fact("f3", "a", "nowhere")], sources: [] };
  const fresh = made.add(part);
  assert.deepEqual(fresh.nodes.map(({ uuid }) => uuid), ["nowhere"]);
  assert.deepEqual(fresh.links.map(({ key }) => key), [linkKey("a", "nowhere")]);
  assert.equal(made.missingFacts("a"), 0);
});

test("a source with its text takes the place of one without, and never the other way", () => {
  const made = model();
  const source = { uuid: "s", label: "l", group: "g", created_at: "", text: null, cut: false };
  for (const text of [null, "whole", null]) made.add({ nodes: [], facts: [], sources: [{ ...source, text }] });
  assert.equal(made.sources.get("s")!.text, "whole");
});

test("a hidden type hides its entities and every link to them", () => {
  const shown = shownBy(model(), { ...NO_FILTERS, hiddenTypes: new Set(["Place"]) });
  assert.deepEqual([[...shown.nodes], [...shown.links], shown.facts], [["a", "c"], [], 0]);
});

test("a hidden group hides its entities, and a hidden relation its facts", () => {
  assert.deepEqual([...shownBy(model(), { ...NO_FILTERS, hiddenGroups: new Set(["h"]) }).nodes], ["a", "b"]);
  assert.equal(shownBy(model(), { ...NO_FILTERS, hiddenPredicates: new Set(["LIKES"]) }).facts, 1);
});

test("at a moment only the facts that hold are shown, and entities without any are quiet", () => {
  const later = { ...NO_FILTERS, moment: Date.UTC(2026, 0, 1) };
  assert.equal(shownBy(model(), later).facts, 1);
  const shown = shownBy(model(), { ...later, hiddenPredicates: new Set(["LIKES"]) });
  assert.deepEqual([[...shown.links], [...shown.quiet]], [[], ["a", "b"]]);
});

test("toggling twice changes nothing", () => {
  assert.deepEqual(toggled(toggled(new Set(["x"]), "y"), "y"), new Set(["x"]));
});

test("search ranks whole names before beginnings, words, parts of words and summaries", () => {
  const index = new SearchIndex();
  const names = ["Ada", "Ada Lovelace", "The Ada prize", "Canada", "Analytical engine"];
  index.add(names.map((name) => node(name, { summary: name === "Analytical engine" ? "Ada wrote of it" : "" })));
  assert.deepEqual(index.find("ADA", 10).found.map(({ name }) => name), names);
  assert.deepEqual(index.find("love ada", 10).found.map(({ name }) => name), ["Ada Lovelace"]);
  assert.deepEqual(index.find("a", 2).total, 5);
  assert.deepEqual(index.find("  ", 10), { found: [], total: 0 });
});

test("search takes what the query says as text, not as a pattern", () => {
  const index = new SearchIndex();
  index.add([node("C++ (.*)"), node("plain")]);
  assert.deepEqual(index.find("c++ (.*", 10).found.map(({ name }) => name), ["C++ (.*)"]);
});

test("the commonest types have colours of their own, the rest and the untyped are grey", () => {
  const counts = new Map(Array.from({ length: 12 }, (_, index) => [`t${String(index).padStart(2, "0")}`, 50 - index]));
  counts.set(UNTYPED, 999);
  const colours = coloursOf(counts);
  assert.equal(colours.get("t00"), SHADES[0]);
  assert.deepEqual([colours.get("t11"), colours.get(UNTYPED)], [OTHER, OTHER]);
  assert.equal(mixed("#000000", "#ffffff", 0.5), "#808080");
});

test("data of another version is refused with what to do", () => {
  assert.throws(() => readGraph('{"format": 2}'), /make the file again/);
  assert.throws(() => readGraph("null"), /make the file again/);
});
