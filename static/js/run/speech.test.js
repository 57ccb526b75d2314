import assert from "node:assert/strict";
import { test } from "node:test";
import { spoken } from "./speech.js";

/** @param {string[]} kinds @returns {import("../trace/state.js").Event[]} */
const action = (...kinds) =>
  kinds.map((kind, i) => ({
    seq: i + 1, action: 1, time: 0, kind: kind.replace("!", ""), sentence: { en: "", zh: "" },
    ...(kind.endsWith("!") ? { changes: [{ key: "lock.foo" }] } : {}),
  }));

/** @param {string} verbosity @param {string[]} kinds */
const kind = (verbosity, ...kinds) => spoken(action(...kinds), verbosity)?.kind;

test("every event: the last of the action, which is the caption", () => {
  assert.equal(kind("events", "deliver", "reply", "receive", "send"), "send");
  assert.equal(kind("events", "deliver!", "reply", "receive", "enter"), "enter");
});

test("a violation is never spoken twice: it is an alert", () => {
  assert.equal(kind("events", "deliver!", "reply", "receive", "enter", "violation", "violation"), "enter");
  assert.equal(kind("changes", "violation"), undefined);
});

test("changes only: what a key or a client has become, not the traffic", () => {
  assert.equal(kind("changes", "deliver", "reply", "receive", "send"), undefined);
  assert.equal(kind("changes", "deliver!", "reply", "receive", "send"), "deliver");
  assert.equal(kind("changes", "deliver!", "reply", "receive", "enter"), "enter");
  assert.equal(kind("changes", "deliver", "reply", "receive", "acquire-failed", "sleep"), "sleep");
  assert.equal(kind("changes", "spawn", "send"), "spawn");
});

test("off: nothing", () => {
  assert.equal(kind("off", "deliver!", "reply", "receive", "enter"), undefined);
});
