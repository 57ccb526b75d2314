import assert from "node:assert/strict";
import { test } from "node:test";

import { Trace, race } from "../trace/traces.testdata.js";
import { notes } from "./notes.js";

test("a delivered command, a failed attempt, an entry and a violation are heard; other events are silent", () => {
  /** @type {Record<string, string[]>} */
  const heard = {};
  for (const event of race().events) heard[event.kind] = notes([event]);
  assert.deepEqual(heard.deliver, ["deliver"]);
  assert.deepEqual(heard.enter, ["enter"]);
  assert.deepEqual(heard.violation, ["violation"]);
  for (const kind of ["spawn", "send", "reply", "receive", "tick", "crash"]) assert.deepEqual(heard[kind], [], kind);
});

test("the storage accepts a write as Redis takes a command, and a refusal of either is one note", () => {
  const t = new Trace();
  t.spawn("C1", "SETNX lock.foo 1011");
  for (const kind of ["write", "reject", "acquire-failed"]) t.emit({ kind, lane: "C1" });
  assert.deepEqual(t.events.slice(-3).map((event) => notes([event])[0]), ["deliver", "refuse", "refuse"]);
});

test("events of one moment give each note once, in their order", () => {
  assert.deepEqual(notes(race().events), ["deliver", "enter", "violation"]);
});
