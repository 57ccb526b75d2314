import assert from "node:assert/strict";
import { test } from "node:test";

import { START } from "../trace/state.js";
import { marks } from "./model.js";
import { since } from "./since.js";
import { crowd, race } from "../trace/traces.testdata.js";

test("all of a run is what is drawn since its first column", () => {
  for (const { events } of [race(), { events: crowd(8) }]) {
    const all = marks(events);
    assert.deepEqual(since(all, 0, START), all);
  }
});

test("what has begun before a row comes in from its left, and what is over is not in it", () => {
  const m = since(marks(race().events), 10, 1_012_000); // with C1's DEL
  assert.deepEqual([m.end, m.start, m.ticks, m.crashes], [4, 1_012_000, [], []]);
  assert.deepEqual(m.requests.map((q) => `${q.call.client} ${q.call.command[0]} ${q.sent} to ${q.to}`), [
    "C1 DEL -1 to 0", "C2 DEL -1 to 2", "C1 SETNX 0.5 to 1", "C2 SETNX 2.5 to 3",
  ]);
  assert.deepEqual(m.bands.map(({ writer, from, to }) => [writer, from, to]), [["C3", -1, 0], ["C1", 1, 2], ["C2", 3, 4]]);
  assert.deepEqual(m.sections.map(({ client, from, to }) => [client, from, to]), [["C1", 1.5, 4], ["C2", 3.5, 4]]);
  assert.deepEqual(since(marks(race().events), 3, START).sections[0].strip, [{ from: -1, to: 0, borneOut: false }]);
  assert.deepEqual(m.causes.map(({ from }) => from), [2]);
});
