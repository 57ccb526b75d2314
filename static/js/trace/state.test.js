import assert from "node:assert/strict";
import { test } from "node:test";

import { apply, empty, fold } from "./state.js";
import { fenced, orphan, pause, race } from "./traces.testdata.js";

test("the race ends with two clients inside and C2's value in the key", () => {
  const state = fold(race().events);
  assert.deepEqual(Object.values(state.clients).map((c) => `${c.name} ${c.status}`), ["C3 crashed", "C1 inside", "C2 inside"]);
  assert.deepEqual(state.keys.redis["lock.foo"], { value: "1023", writer: "C2", order: 9 });
  assert.deepEqual(state.violations.map((v) => v.property), ["mutual-exclusion", "overlap"], "a foreign delete is over as soon as it has happened");
  assert.equal(state.time, 1_012_000);
  assert.deepEqual(state.clients.C1.lease, { until: 1_023_000 });
});

test("folding event by event gives the state of the whole log, and changes no earlier state", () => {
  const { events } = race();
  const states = [empty()];
  for (const event of events) states.push(apply(states[states.length - 1], event));
  states.forEach((state, n) => assert.deepEqual(state, fold(events.slice(0, n))));
});

test("a request in flight: sent, delivered, received", () => {
  const { events } = race();
  assert.deepEqual(fold(events.slice(0, 2)).inFlight, {
    1: { call: events[1].call, label: "SETNX lock.foo 1011", sent: 2, delivered: false },
  });
  assert.equal(fold(events.slice(0, 3)).inFlight[1].delivered, true);
  assert.deepEqual(fold(events.slice(0, 5)).inFlight, {});
});

test("a paused holder whose lease ends is inside and believes no more", () => {
  const events = pause();
  const expired = events.findIndex((e) => e.kind === "expire" && e.lane === "C1") + 1;
  const { status, paused, believes } = fold(events.slice(0, expired)).clients.C1;
  assert.deepEqual({ status, paused, believes }, { status: "inside", paused: true, believes: false });
  assert.deepEqual(fold(events.slice(0, expired)).keys.redis, {}, "its TTL has run out");
});

test("a client without a program enters and leaves, and is not releasing then: its commands are typed by hand", () => {
  /** @type {any[]} */
  const events = ["spawn", "enter", "leave"].map((kind, i) => ({ seq: i + 1, action: i + 1, time: 1_000_000, lane: "C1", kind, spawned: {}, lease: { until: 1_010_000 }, believes: true }));
  assert.deepEqual(events.map((_, i) => fold(events.slice(0, i + 1)).clients.C1.status), ["waits", "inside", "waits"]);
});

test("a request outlives a crash; its reply reaches nobody", () => {
  const events = orphan();
  const crashed = fold(events.slice(0, 3));
  assert.equal(crashed.clients.C1.status, "crashed");
  assert.equal(crashed.clients.C1.request, 0);
  assert.equal(crashed.inFlight[1].delivered, false);
  assert.deepEqual(fold(events.slice(0, 5)).inFlight, {});
});

test("a write to the storage is in flight until its answer arrives, also when it is rejected", () => {
  const events = fenced();
  const before = fold(events.slice(0, -3));
  assert.deepEqual(Object.values(before.inFlight).map((m) => `${m.label} ${m.delivered}`), ["write 1 false"]);
  assert.deepEqual(Object.values(fold(events.slice(0, -1)).inFlight).map((m) => `${m.label} ${m.delivered}`), ["write 1 true"]);
  assert.deepEqual(fold(events).inFlight, {});
});

test("a renewed lease is the client's lease", () => {
  const renewed = { kind: "renew", lane: "C2", lease: { until: 1_030_000, token: "2" } };
  const last = fenced();
  const state = fold([...last, { ...last[0], ...renewed, seq: last.length + 1 }]);
  assert.deepEqual([state.clients.C2.lease, state.clients.C2.believes, state.clients.C2.status], [renewed.lease, true, "inside"]);
});

/** Returns events on the lane of C1. @param {any[]} some @returns {any[]} */
const lane = (...some) => some.map((event, i) => ({ seq: i + 1, action: i + 1, time: 1_000_000, lane: "C1", ...event }));

test("a client that sends from inside, as a watchdog does, stays inside; one that slept waits", () => {
  const call = { id: 1, client: "C1", node: "redis", command: ["EXPIRE", "lock.foo", "10"] };
  const spawned = { kind: "spawn", spawned: { program: "p" } };
  const status = (/** @type {any[]} */ ...events) => fold(lane(spawned, ...events)).clients.C1.status;
  assert.equal(status({ kind: "enter", lease: {}, believes: true }, { kind: "send", call }), "inside");
  assert.equal(status({ kind: "sleep", until: 1_001_000 }, { kind: "send", call }), "waits");
});

test("a client that starts afresh has no lease, and keeps the skew of its clock", () => {
  const spawned = { program: "p", skew: 2000 };
  const { lease, believes, skew } = fold(lane({ kind: "spawn", spawned }, { kind: "enter", lease: { until: 1_010_000 }, believes: true }, { kind: "crash" }, { kind: "restart", spawned })).clients.C1;
  assert.deepEqual({ lease, believes, skew }, { lease: null, believes: false, skew: 2000 });
});
