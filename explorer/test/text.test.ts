import assert from "node:assert/strict";
import { test } from "node:test";
import { clean, count, folded, oneLine } from "../src/text.js";

test("marks that turn the direction of what follows are shown, not obeyed", () => {
  assert.equal(clean("a\u202eb\u2066c\u0000d"), "a\ufffdb\ufffdc\ufffdd");
});

test("letters of right-to-left scripts, line feeds and emoji stay as they are", () => {
  for (const text of ["שלום", "مرحبا", "a\nb\tc", "👩‍👩‍👧‍👦"]) assert.equal(clean(text), text);
});

test("one line is cut between characters as people see them", () => {
  assert.equal(oneLine("  two\n words ", 20), "two words");
  const family = "👩‍👩‍👧‍👦";
  assert.equal(oneLine(family.repeat(10), 3), `${family.repeat(2)}…`);
  assert.equal(oneLine("abc", 3), "abc");
  assert.equal(oneLine("abcd", 3), "ab…");
});

test("a name of ten thousand characters is cut at once", () => {
  assert.equal(oneLine("x".repeat(10_000), 42), `${"x".repeat(41)}…`);
});

test("searches mind neither accents nor letter case", () => {
  assert.equal(folded("Éloïse ÅNGSTRÖM"), "eloise angstrom");
});

test("counts have their word in the right number", () => {
  assert.deepEqual([count(1, "fact"), count(1234, "fact"), count(0, "entity", "entities")], ["1 fact", "1,234 facts", "0 entities"]);
});
