import assert from "node:assert/strict";
import test from "node:test";

import { common, counterpart, same } from "./divergence.js";
import { Trace } from "./traces.testdata.js";

/** Two clients find the lock expired. @param {object} [options] of their spawns */
const begun = (options) =>
  new Trace()
    .spawn("C1", "SETNX lock.foo 1023", options)
    .spawn("C2", "SETNX lock.foo 1023", options)
    .step("C1", "0")
    .send("C1", "GET lock.foo")
    .step("C1", "1011");

test("another command diverges where it is sent", () => {
  const del = begun().send("C1", "DEL lock.foo").step("C2", "0");
  const getset = begun({ program: "getset" }).send("C1", "GETSET lock.foo 1023").step("C2", "0");
  const n = common(del.events, getset.events);
  assert.equal(del.events[n].label, "DEL lock.foo");
  assert.equal(getset.events[n].label, "GETSET lock.foo 1023");
});

test("the same command with another reply diverges at the reply", () => {
  const lucky = begun().send("C1", "SETNX lock.foo 1023").step("C1", "1");
  const late = begun().send("C1", "SETNX lock.foo 1023").step("C1", "0");
  const n = common(lucky.events, late.events);
  assert.equal(lucky.events[n].kind, "deliver");
  assert.deepEqual([lucky, late].map(({ events }) => events[n].execution?.reply.text), ["(integer) 1", "(integer) 0"]);
});

test("the name of a program is no difference", () => {
  const [one, other] = [begun(), begun({ program: "mine", timeout: 10_000 })].map((t) => t.events);
  assert.equal(common(one, other), one.length);
  const stopped = [12, 14].map((line) => ({ ...one[0], kind: "error", line, text: `line ${line}`, sentence: { en: `at ${line}`, zh: `${line}` } }));
  assert.ok(same(stopped[0], stopped[1]), "nor is where in it a client has stopped");
});

test("a client with typed commands differs from one with a program", () => {
  const one = new Trace().spawn("Z1", "PING").events;
  const other = new Trace().spawn("Z1", "PING", { program: undefined }).events;
  assert.equal(common(one, other), 0);
});

test("another time, another client, another belief", () => {
  const [event] = begun().events.slice(-1);
  assert.ok(same(event, { ...event, seq: 77, action: 8, line: 3 }));
  assert.ok(!same(event, { ...event, time: event.time + 1000 }));
  assert.ok(!same(event, { ...event, lane: "C2" }));
  assert.ok(!same(event, { ...event, sentence: { en: "C1 believes until 1024.", zh: "" } }));
});

test("a run that ends is a prefix of one that goes on", () => {
  const [short, long] = [begun().events, begun().send("C1", "DEL lock.foo").events];
  assert.equal(common(short, long), short.length);
  assert.equal(common(long, short), short.length);
  assert.equal(common([], long), 0);
});

test("known common events are not compared again", () => {
  const events = begun().events;
  const forged = [{ ...events[0], lane: "C9" }, ...events.slice(1)];
  assert.equal(common(events, forged, 1), events.length);
});

test("positions are the same number of actions", () => {
  for (const position of [0, 1, 14]) assert.equal(counterpart(position, { here: [], there: [] }), position);
});

test("an omitted action counts with the one before it", () => {
  const rerun = { here: [5, 6, 15], there: [] }; // of 15 actions, 12 were possible
  assert.deepEqual([0, 3, 4, 5, 11, 12].map((p) => counterpart(p, rerun)), [0, 3, 6, 7, 13, 15]);
  const original = { here: [], there: [5, 6, 15] };
  assert.deepEqual([0, 4, 5, 6, 7, 14, 15].map((p) => counterpart(p, original)), [0, 4, 4, 4, 5, 12, 12]);
  const sisters = { here: [5], there: [6] };
  assert.deepEqual([3, 4, 5, 6].map((p) => counterpart(p, sisters)), [3, 5, 5, 6]);
});
