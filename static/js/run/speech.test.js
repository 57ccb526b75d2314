import assert from "node:assert/strict";
import { test } from "node:test";
import { news, spoken } from "./speech.js";

/** @param {string[]} kinds @returns {import("../trace/state.js").Event[]} */
const action = (...kinds) =>
  kinds.map((kind, i) => ({
    seq: i + 1, action: 1, time: 0, kind: kind.replace("!", ""), sentence: { en: "", zh: "" },
    ...(kind.endsWith("!") ? { changes: [{ key: "lock.foo" }] } : {}),
  }));

/** @param {string} verbosity @param {string[]} kinds */
const kind = (verbosity, ...kinds) => spoken(action(...kinds), verbosity).map((e) => e.kind).join(" ");

test("every event: all of the action, in order", () => {
  assert.equal(kind("events", "deliver", "reply", "receive", "send"), "deliver reply receive send");
  assert.equal(kind("events", "deliver!", "reply", "receive", "enter"), "deliver reply receive enter");
});

test("a violation is never spoken twice: it is an alert", () => {
  assert.equal(kind("events", "deliver!", "reply", "receive", "enter", "violation", "violation"), "deliver reply receive enter");
  assert.equal(kind("changes", "violation"), "");
});

test("changes only: what a key or a client has become, not the traffic", () => {
  assert.equal(kind("changes", "deliver", "reply", "receive", "send"), "");
  assert.equal(kind("changes", "deliver!", "reply", "receive", "send"), "deliver");
  assert.equal(kind("changes", "deliver!", "reply", "receive", "enter"), "enter");
  assert.equal(kind("changes", "deliver", "reply", "receive", "acquire-failed", "sleep"), "sleep");
  assert.equal(kind("changes", "spawn", "send"), "spawn");
});

test("off: nothing", () => {
  assert.equal(kind("off", "deliver!", "reply", "receive", "enter"), "");
});

test("a position is told with the actions before it that the reader has not heard, but a long way is not", () => {
  const log = [1, 1, 2, 3, 3, 4, 5].map((number, i) => ({ ...action("enter")[0], seq: i + 1, action: number }));
  const told = (/** @type {number} */ from, /** @type {number} */ to) => news(log, from, to).map((e) => e.seq).join(" ");
  assert.equal(told(0, 1), "1 2");
  assert.equal(told(1, 3), "3 4 5");
  assert.equal(told(0, 3), "1 2 3 4 5");
  assert.equal(told(0, 5), "7");
  assert.equal(told(3, 2), "3", "back: the action that led there");
  assert.equal(told(2, 0), "");
});
