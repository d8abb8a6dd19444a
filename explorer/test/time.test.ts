import assert from "node:assert/strict";
import { test } from "node:test";
import { formatMoment, formatSpan, histogram, holds, momentsOf, nextMoment, parseTime, spanOf } from "../src/time.js";

const at = (text: string): number => parseTime(text)!;

test("times are UTC, and years before 100 are not taken for others", () => {
  assert.equal(at("2026-05-20 10:30:00"), Date.UTC(2026, 4, 20, 10, 30));
  assert.equal(new Date(at("0044-03-15 00:00:00")).getUTCFullYear(), 44);
  assert.equal(parseTime(null), null);
  assert.equal(parseTime("soon"), null);
});

test("a fact holds from its beginning until just before its end", () => {
  const span = spanOf("2024-01-01 00:00:00", "2025-01-01 00:00:00");
  assert.deepEqual(
    ["2023-12-31", "2024-01-01", "2024-12-31", "2025-01-01"].map((day) => holds(span, at(day))),
    [false, true, true, false],
  );
  assert.ok(holds(span, null));
});

test("a fact of unknown beginning has always held, and one without an end holds still", () => {
  assert.ok(holds(spanOf(null, null), at("0001-01-01")));
  assert.ok(holds(spanOf(null, null), at("9999-12-31")));
});

test("the moments are the changes, each once and in order", () => {
  const spans = [spanOf("2024-01-01", "2025-01-01"), spanOf("2023-01-01", null), spanOf("2024-01-01", null)];
  const moments = momentsOf(spans);
  assert.deepEqual(moments, ["2023-01-01", "2024-01-01", "2025-01-01"].map(at));
  assert.equal(nextMoment(moments, at("2024-01-01"), 1), at("2025-01-01"));
  assert.equal(nextMoment(moments, at("2024-01-01"), -1), at("2023-01-01"));
  assert.equal(nextMoment(moments, at("2025-01-01"), 1), null);
});

test("the histogram counts at each step exactly the facts that hold there", () => {
  const spans = [spanOf(null, null), { from: 2, until: 5 }, { from: 4, until: Infinity }, { from: -Infinity, until: 3 }];
  const counts = histogram(spans, 0, 10, 11);
  const expected = Array.from({ length: 11 }, (_, step) => spans.filter((span) => holds(span, step)).length);
  assert.deepEqual(counts, expected);
});

test("times are told as exactly as the range asks for", () => {
  const moment = at("2026-05-20 10:30:05");
  const HOUR = 3_600_000;
  assert.deepEqual([formatMoment(moment, 9000 * HOUR), formatMoment(moment, 48 * HOUR), formatMoment(moment, HOUR / 2)], ["2026-05-20", "2026-05-20 10:30", "2026-05-20 10:30:05"]);
  assert.equal(formatSpan("2024-01-01 00:00:00", "2025-03-01 12:30:00"), "since 2024-01-01, until 2025-03-01 12:30");
  assert.equal(formatSpan(null, null), "");
});
