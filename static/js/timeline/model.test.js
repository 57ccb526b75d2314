import assert from "node:assert/strict";
import { test } from "node:test";

import { marks } from "./model.js";
import { verdictText } from "./text.js";
import { Trace, crowd, fenced, orphan, pause, race, updates } from "../trace/traces.testdata.js";

/** @param {{call: {client: string, command: string[]}, sent: number, to: number, fate: string}} q */
const told = (q) => `${q.call.client} ${q.call.command[0]} ${q.sent}-${q.to} ${q.fate}`;

test("an empty log has a Redis lane and nothing else", () => {
  const m = marks([]);
  assert.deepEqual(m.lanes, [{ name: "redis", node: true, state: "", skew: 0, label: "" }]);
  assert.equal(m.end, 0);
  assert.deepEqual([m.requests, m.replies, m.sections, m.bands, m.violations], [[], [], [], [], []]);
});

test("the race, column by column", () => {
  const m = marks(race().events);
  assert.deepEqual(m.lanes.map((l) => `${l.name} ${l.state}`), ["C3 crashed", "C1 inside", "C2 inside", "redis "]);
  // Columns: 0 spawn C3, 1 its step, 2 crash, 3 tick, 4 and 5 spawns, 6 to 13 a step each.
  assert.equal(m.end, 14);
  assert.deepEqual(m.requests.map(told), [
    "C3 SETNX 0-1 delivered",
    "C1 SETNX 4-6 delivered",
    "C2 SETNX 5-8 delivered",
    "C1 GET 6.5-7 delivered",
    "C1 DEL 7.5-10 delivered",
    "C2 GET 8.5-9 delivered",
    "C2 DEL 9.5-12 delivered",
    "C1 SETNX 10.5-11 delivered",
    "C2 SETNX 12.5-13 delivered",
  ]);
  assert.deepEqual(m.ticks.map(({ at, by, time }) => ({ at, by, time })), [{ at: 3, by: 12_000, time: 1_012_000 }]);
  assert.deepEqual(m.crashes.map(({ lane, at }) => ({ lane, at })), [{ lane: "C3", at: 2 }]);
});

test("the race: the bands are the truth, and the dead lock is expired from the tick on", () => {
  const m = marks(race().events);
  assert.deepEqual(m.bands.map(({ value, writer, from, to, expired }) => [value, writer, from, to, expired]), [
    ["1011", "C3", 1, 10, 3],
    ["1023", "C1", 11, 12, Infinity],
    ["1023", "C2", 13, 14, Infinity],
  ]);
});

test("the race: belief is borne out until C2's DEL takes the key away", () => {
  const [c3, c1, c2] = marks(race().events).sections;
  assert.deepEqual(c3.strip, [{ from: 1.5, to: 2, borneOut: true }, { from: 2, to: 3, borneOut: false }]);
  assert.deepEqual(c1.strip, [{ from: 11.5, to: 12, borneOut: true }, { from: 12, to: 14, borneOut: false }]);
  assert.deepEqual(c2.strip, [{ from: 13.5, to: 14, borneOut: true }]);
  assert.deepEqual([c3, c1, c2].map((s) => s.ending), ["crash", "open", "open"]);
});

test("the race: one flag for mutual exclusion and overlap, and the DEL is guilty", () => {
  const { events, guilty } = race();
  const m = marks(events);
  assert.deepEqual(m.violations.map(({ property, clients, from, to }) => ({ property, clients, from, to })), [
    { property: "foreign-delete", clients: ["C2", "C1"], from: 12.5, to: 12.5 },
    { property: "mutual-exclusion", clients: ["C1", "C2"], from: 13.5, to: 14 },
  ]);
  assert.deepEqual(m.requests.filter((q) => q.blamed).map(told), ["C2 DEL 9.5-12 delivered"]);
  assert.deepEqual(m.causes.map(({ seq, from, to, order }) => ({ seq, from, to, order })), [{ seq: guilty, from: 12, to: 13.5, order: 8 }]);
  assert.deepEqual(m.sections.map((s) => s.hatched), [[], [{ seq: 46, from: 13.5, to: 14 }], [{ seq: 46, from: 13.5, to: 14 }]]);
});

test("three inside at once are three holders", () => {
  const t = new Trace();
  for (const c of ["C1", "C2", "C10"]) t.spawn(c, "SETNX lock.foo 1011").step(c, "1", { "lock.foo": c }).enter(c, 1_011_000);
  t.violation("mutual-exclusion", ["C1", "C10"], 3).violation("mutual-exclusion", ["C2", "C10"], 3);
  assert.deepEqual(marks(t.events).violations.map((v) => v.clients), [["C1", "C2", "C10"]]);
});

test("a pause: belief ends with the lease, the section does not", () => {
  const m = marks(pause());
  assert.deepEqual(m.pauses.map(({ lane, from, to }) => ({ lane, from, to })), [{ lane: "C1", from: 4, to: 7 }]);
  assert.deepEqual(m.sections[0].strip, [{ from: 2.5, to: 5, borneOut: true }, { from: 5, to: 8, borneOut: false }]);
  assert.deepEqual(m.sections[0].hatched, [{ seq: 24, from: 6.5, to: 8 }]);
  assert.deepEqual(m.sleeps.map(({ lane, from, to }) => ({ lane, from, to })), [{ lane: "C2", from: 3.5, to: 5 }]);
  assert.ok(m.bands[0].over > 0, "its TTL ran out");
  assert.deepEqual(m.violations.map(({ property, from, to, open }) => ({ property, from, to, open })), [
    { property: "overlap", from: 6.5, to: 8, open: false },
  ]);
});

test("a reply on its way to a client that crashes is heard by nobody, and those that wait at Redis stand one over the other", () => {
  const t = new Trace();
  for (const client of ["C1", "C2", "C3"]) t.spawn(client, "GET lock.foo");
  for (const client of ["C1", "C2", "C3"]) t.act().deliver(client, "nil");
  t.fault("C2", "crash");
  t.tick(1_000);
  assert.deepEqual(marks(t.events).replies.map((p) => `${p.call.client} ${p.from}-${p.to} ${p.fate} ${p.rank}`), [
    "C1 3-8 inFlight 0", "C2 4-6 unheard 1", "C3 5-8 inFlight 2",
  ]);
});

test("an orphan request arrives after the crash; replies and requests get lost", () => {
  const m = marks(orphan());
  assert.deepEqual(m.requests.map(told), [
    "C1 SETNX 0-2 delivered", "C2 SETNX 3-4 delivered", "C3 SETNX 6-7 lost", "C1 SETNX 8-9 inFlight",
  ]);
  assert.deepEqual(m.replies.map((p) => `${p.call.client} ${p.from}-${p.to} ${p.fate}`), ["C1 2-2.5 unheard", "C2 4-5 lost"]);
  assert.deepEqual(m.lives.filter((l) => l.dead).map(({ lane, from, to }) => ({ lane, from, to })), [{ lane: "C1", from: 1, to: 8 }]);
});

test("a failover tears a band off or brings it back, and ends a node's crash", () => {
  const t = new Trace();
  t.spawn("C1", "SET lock.foo C1-1").step("C1", "OK", { "lock.foo": "C1-1" });
  const { changes } = t.events.find((e) => e.kind === "deliver") ?? {};
  const stored = changes?.[0].new;
  t.act().emit({ kind: "failover", lane: "redis", changes: [{ key: "lock.foo", old: stored }] });
  t.act().emit({ kind: "crash", lane: "redis", text: "keep" });
  t.act().emit({ kind: "failover", lane: "redis", changes: [{ key: "lock.foo", new: stored }] });
  const m = marks(t.events);
  assert.deepEqual(m.failovers.map(({ lane, at }) => ({ lane, at })), [{ lane: "redis", at: 2 }, { lane: "redis", at: 4 }]);
  assert.deepEqual(m.bands.map(({ from, to, open }) => ({ from, to, open })), [{ from: 1, to: 2, open: false }, { from: 4, to: 5, open: true }]);
  assert.deepEqual(m.state.down, []);
  assert.deepEqual(m.lives.filter((l) => l.lane === "redis").map(({ from, to, dead }) => ({ from, to, dead })), [
    { from: -1, to: 3, dead: false }, { from: 4, to: 5, dead: false }, { from: 3, to: 4, dead: true },
  ]);
});

test("a reply delivered and received apart is on its way in between", () => {
  const t = new Trace();
  t.spawn("C1", "GET lock.foo").act().deliver("C1", "nil");
  assert.deepEqual(marks(t.events).replies.map(({ fate, from, to }) => ({ fate, from, to })), [{ fate: "inFlight", from: 1, to: 2 }]);
  t.act().receive("C1");
  assert.deepEqual(marks(t.events).replies.map(({ fate, from, to }) => ({ fate, from, to })), [{ fate: "received", from: 1, to: 2 }]);
});

test("a client that renews its lock is borne out across its own writes", () => {
  const t = new Trace();
  t.spawn("C1", "SET lock.foo C1-1").step("C1", "OK", { "lock.foo": "C1-1" }, 1_010_000).enter("C1", 1_010_000, "C1-1");
  t.send("C1", "SET lock.foo C1-2").step("C1", "OK", { "lock.foo": "C1-2" }, 1_020_000);
  assert.deepEqual(marks(t.events).sections[0].strip, [{ from: 1.5, to: 3, borneOut: true }]);
});

test("a loser that writes the winner's number over it leaves the lock as it is, and with another number it does not", () => {
  for (const [number, strip] of /** @type {const} */ ([
    ["1023", [{ from: 2.5, to: 4, borneOut: true }]],
    ["1024", [{ from: 2.5, to: 3, borneOut: true }, { from: 3, to: 4, borneOut: false }]],
  ])) {
    const t = new Trace();
    t.spawn("C1", "GETSET lock.foo 1023").spawn("C2", `GETSET lock.foo ${number}`);
    t.step("C1", "nil", { "lock.foo": "1023" }).enter("C1", 1_023_000);
    t.step("C2", "1023", { "lock.foo": number });
    assert.deepEqual(marks(t.events).sections[0].strip, strip, number);
  }
});

test("a client that got in without a key believes what nothing bears out", () => {
  const t = new Trace();
  t.spawn("C1", "GET lock.foo").step("C1", "nil").enter("C1", 1_010_000);
  assert.deepEqual(marks(t.events).sections[0].strip, [{ from: 1.5, to: 2, borneOut: false }]);
});

test("twelve clients have twelve lanes in order of spawning, and Redis last", () => {
  const names = marks(crowd(12)).lanes.map((l) => l.name);
  assert.deepEqual(names, [...Array.from({ length: 12 }, (_, i) => `C${i + 1}`), "redis"]);
});

test("a key with a TTL has not expired while Redis holds it, whatever its writer's lease says", () => {
  const t = new Trace();
  t.spawn("C1", "SET lock.foo C1-1 NX PX 10000");
  t.tick(9_000);
  t.step("C1", "OK", { "lock.foo": "C1-1" }, 1_019_000).enter("C1", 1_010_000, "C1-1");
  t.tick(3_000).emit({ kind: "expire", lane: "C1", believes: false });
  const [band] = marks(t.events).bands;
  assert.equal(band.open, true);
  assert.equal(band.expired, Infinity);
});

test("the storage is a lane where it is written to, and bears no lock out", () => {
  const m = marks(fenced());
  assert.deepEqual(m.lanes.map((l) => l.name), ["C1", "C2", "redis", "storage"]);
  assert.deepEqual(m.requests.filter((q) => q.call.node === "storage").map((q) => `${told(q)} ${q.did}`), [
    "C1 write 1.5-6 delivered reject", "C2 write 4.5-5 delivered write",
  ]);
  assert.deepEqual(m.sections.map((s) => s.strip[0].borneOut), [true, true], "one node of Redis is the majority");
});

test("what the storage does with its number is told apart", () => {
  const words = /** @type {any} */ ({
    accepted: "accepted {n}", rejected: "rejected {n}", read: "read {n}", wrote: "wrote {n}", staged: "wrote {n}, uncommitted", committed: "committed {n}", nothing: "no transaction",
  });
  const m = marks(updates());
  assert.deepEqual(m.requests.filter((q) => q.call.node === "storage").map((q) => `${q.call.client} ${verdictText(q, words)}`), [
    "C1 read 0", "C2 read 0", "C1 wrote 1, uncommitted", "C1 committed 1", "C1 no transaction", "C2 wrote 1",
  ]);
  const refused = { did: "reject", call: { id: 1, client: "C1", node: "storage", command: ["write", "value=4", "fence=3"] } };
  assert.equal(verdictText(refused, words), "rejected 3");
});

test("who is there when the first client comes has a lane from the start", () => {
  const t = new Trace();
  t.act().emit({ kind: "spawn", lane: "C1", spawned: { program: "redlock", lanes: ["redis1", "redis2", "redis3", "storage"] } });
  assert.deepEqual(marks(t.events).lanes.map((l) => l.name), ["C1", "redis1", "redis2", "redis3", "storage"]);
});

test("a lease that is renewed runs until its new end", () => {
  const t = new Trace();
  t.spawn("C1", "SET lock.foo C1-1").step("C1", "OK", { "lock.foo": "C1-1" }, 1_009_000).enter("C1", 1_009_000, "C1-1");
  t.tick(3_000);
  t.act().send("C1", "EVAL compare-and-expire").step("C1", "1", { "lock.foo": "C1-1" }, 1_012_000);
  t.emit({ kind: "renew", lane: "C1", lease: { until: 1_012_000, token: "C1-1" } });
  t.fault("C1", "crash");
  t.tick(6_000);
  t.tick(3_000);
  const [section] = marks(t.events).sections;
  assert.deepEqual(section.strip.at(-1), { from: 5, to: 7, borneOut: false }, "it outlives the crash until the second tick");
});
