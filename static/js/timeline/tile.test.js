import assert from "node:assert/strict";
import { test } from "node:test";

import { marks } from "./model.js";
import { tile } from "./tile.js";
import { Trace, crowd, pause, race } from "../trace/traces.testdata.js";

const SIZE = { width: 260, height: 88 };

/** @param {import("./tile.js").Tile} t @param {string} name  of a class */
const drawn = ({ groups }, name) => groups.flatMap((g) => g.shapes).filter((s) => s.class.split(" ").includes(name));

/** The numbers of a path, which stand for places or lengths. @param {import("./shapes.js").Shape[]} shapes */
const boxes = (shapes) => shapes.flatMap((s) => (s.kind === "path" ? s.d.split("Z").filter(Boolean) : []));

test("the race on a tile: who is inside, the overlap that is hatched, the crash", () => {
  const t = tile(marks(race().events), SIZE);
  assert.equal(boxes(drawn(t, "hold")).length, 3, "C3, C1 and C2 have been inside");
  assert.equal(boxes(drawn(t, "overlap")).length, 2, "C1 and C2 at once");
  assert.equal(drawn(t, "tile-hatch").length, 1);
  assert.equal(boxes(drawn(t, "tint")).length, 2, "the foreign delete and the two holders");
  assert.equal(drawn(t, "crash-disc").length, 1);
});

test("a pause is seen", () => {
  assert.equal(drawn(tile(marks(pause()), SIZE), "pause-box").length, 1);
});

test("nothing has happened yet: a lane of Redis, and no number that is none", () => {
  const t = tile(marks([]), SIZE);
  assert.deepEqual([t.width, t.height], [SIZE.width, SIZE.height]);
  const numbers = JSON.stringify([t.width, t.groups.map((g) => g.shapes)]);
  assert.ok(!/null|NaN|Infinity/.test(numbers), numbers);
});

test("with more lanes everything is smaller, and the proportions stay", () => {
  const t = tile(marks(crowd(20)), SIZE);
  assert.ok(t.height > SIZE.height);
  assert.ok(Math.abs(t.width / t.height - SIZE.width / SIZE.height) < 1e-9);
});

test("a long run fits in the width, and its calls are left out", () => {
  const trace = new Trace().spawn("C1", "SETNX lock.foo 1011");
  for (let i = 0; i < 400; i++) trace.act().emit({ kind: "tick", from: 1_000_000 + i * 1000, time: 1_001_000 + i * 1000 });
  const t = tile(marks(trace.events), SIZE);
  const places = boxes(t.groups.flatMap((g) => g.shapes)).join("").match(/M[\d.]+|H[\d.]+/g) ?? [];
  for (const place of places) assert.ok(Number(place.slice(1)) <= t.width, `${place} is outside of ${t.width}`);
  assert.equal(drawn(t, "density").length, 0);
});
