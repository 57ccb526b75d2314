import assert from "node:assert/strict";
import { test } from "node:test";

import { layout } from "./layout.js";
import { marks } from "./model.js";
import { visible } from "./messages.js";
import { BUDGET, nodeCount } from "./plan.js";
import { KNOT, LEAN } from "./scale.js";
import { approximate } from "./text.js";
import { Trace, crowd, orphan, pause, race } from "../trace/traces.testdata.js";

/**
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {import("./shapes.js").Shape} Shape
 * @typedef {import("./shapes.js").Text} Text
 * @typedef {import("./shapes.js").Line} Line
 * @typedef {{width: number, height: number, playhead: number, groups: import("./shapes.js").Group[]}} Geometry  all of a plan
 */

const states = { waits: "waits", asleep: "asleep", inside: "inside", releasing: "releasing", done: "done", crashed: "crashed", down: "down", failed: "failed" };
const english = {
  ...states, timeline: "Timeline", leave: "Leave", work: "Work on", paused: "paused", expired: "expired", until: "until {time}", lost: "lost", storage: "Storage", accepted: "accepted {n}", rejected: "rejected {n}", read: "read {n}", wrote: "wrote {n}", staged: "wrote {n}, uncommitted",
  committed: "committed {n}", nothing: "no transaction",
  cause: "the cause",
  property: { "mutual-exclusion": "{n} holders: {clients}", overlap: "{n} inside: {clients}", "foreign-delete": "{a} deleted {b}’s lock", "lease-drift": "lease drift: {clients}", stuck: "stuck: {clients}" },
};
const chinese = {
  ...english, inside: "临界区内", waits: "等待中", paused: "停顿", expired: "已过期", until: "至 {time}",
  cause: "起因", property: { ...english.property, "mutual-exclusion": "{n} 个持有者：{clients}", "foreign-delete": "{a} 删除了 {b} 的锁" },
};

/** @param {Event[]} events @param {typeof english} [words] @returns {Geometry} */
function lay(events, words = english) {
  const plan = layout(marks(events), { words, measure: approximate, columnWidth: 48, width: 0 });
  return { width: plan.width, height: plan.height, playhead: plan.playhead, groups: plan.groups(-Infinity, Infinity) };
}

/** @param {Geometry} g @returns {Shape[]} */
const shapes = (g) => g.groups.flatMap((group) => group.shapes);

/** @param {Geometry} g @returns {Text[]} */
const texts = (g) => /** @type {Text[]} */ (shapes(g).filter((s) => s.kind === "text"));

/** @param {Geometry} g @param {string} name @returns {any[]} */
const named = (g, name) => shapes(g).filter((s) => s.class === name);

/** @param {Geometry} g @param {string} key */
const group = (g, key) => g.groups.find((one) => one.key === key);

/** Two violations that come one upon the other. */
function manyFlags() {
  const t = new Trace();
  t.spawn("C1", "SETNX lock.foo 1011").spawn("C2", "SETNX lock.foo 1011");
  t.step("C1", "1", { "lock.foo": "1011" }).enter("C1", 1_011_000);
  t.step("C2", "1", { "lock.foo": "1012" }).enter("C2", 1_012_000);
  t.violation("mutual-exclusion", ["C1", "C2"], 9).violation("lease-drift", ["C1"], 9).violation("stuck", ["C1", "C2"], 9);
  return t.events;
}

/** Commands longer than a column. */
function longCommands() {
  const t = new Trace();
  t.spawn("C1", "SET lock.foo C1-1 NX PX 10000").step("C1", "OK", { "lock.foo": "C1-1" }, 1_010_000).enter("C1", 1_010_000, "C1-1");
  t.leave("C1", "EVAL compare-and-delete lock.foo C1-1").step("C1", "1", { "lock.foo": null }).emit({ kind: "done", lane: "C1" });
  t.spawn("C2", "EVAL compare-and-expire lock.foo C1-1 10000").step("C2", "0").send("C2", "EVAL compare-and-delete lock.foo C1-1");
  t.step("C2", "a reply far too long to be shown whole").emit({ kind: "error", lane: "C2", text: "no" });
  t.act().emit({ kind: "note", text: "a note of more words than there is room for" }).tick(1_000).tick(1_000).tick(500);
  return t.events;
}

/** Requests of an earlier life wait with those of the next, and replies with each other. */
function waiting() {
  const t = new Trace();
  t.spawn("C1", "SETNX lock.foo 1011").fault("C1", "crash").fault("C1", "restart").send("C1", "SETNX lock.foo 1011");
  t.spawn("C2", "SETNX lock.foo 1011").spawn("C3", "GET lock.foo");
  t.act().deliver("C2", "1", { "lock.foo": "1011" }).act().deliver("C3", "1011");
  t.act().emit({ kind: "skew", lane: "C3", skew: -3_000 }).fault("C3", "pause");
  return t.events;
}

const logs = {
  empty: [], race: race().events, pause: pause(), orphan: orphan(), crowd: crowd(12), flags: manyFlags(), long: longCommands(), waiting: waiting(),
};

for (const [name, log] of Object.entries(logs)) {
  for (const [language, words] of Object.entries({ english, chinese })) {
    test(`${name}, ${language}: after every event no texts touch and nothing is cut`, () => {
      for (let n = 0; n <= log.length; n++) check(lay(log.slice(0, n), words), `after event ${n}`);
    });
  }
}

/** @param {Geometry} g @param {string} when */
function check(g, when) {
  const all = texts(g);
  all.forEach((a, i) => {
    for (const b of all.slice(i + 1)) {
      const apart = a.box.x + a.box.width <= b.box.x + 0.01 || b.box.x + b.box.width <= a.box.x + 0.01 ||
        a.box.y + a.box.height <= b.box.y || b.box.y + b.box.height <= a.box.y;
      assert.ok(apart, `${when}: “${a.text}” (${a.class}) touches “${b.text}” (${b.class})`);
    }
  });
  for (const { text, box } of all) {
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= g.width && box.y + box.height <= g.height, `${when}: “${text}” is cut`);
  }
  for (const s of shapes(g)) {
    for (const [x, y] of corners(s)) assert.ok(x >= 0 && x <= g.width && y >= 0 && y <= g.height, `${when}: ${s.class} at ${x},${y} is outside`);
  }
  const keys = g.groups.map((one) => one.key);
  assert.equal(new Set(keys).size, keys.length, `${when}: two groups have one key`);
}

/** @param {Shape} s @returns {number[][]} */
function corners(s) {
  switch (s.kind) {
    case "rect": return [[s.x, s.y], [s.x + s.width, s.y + s.height]];
    case "line": return [[s.x1, s.y1], [s.x2, s.y2]];
    case "circle": return [[s.cx - s.r, s.cy - s.r], [s.cx + s.r, s.cy + s.r]];
    default: return [];
  }
}

/** The numbers of the first stretch of a path: from x, y to x, y. @param {Shape | undefined} s */
function stretch(s) {
  assert.equal(s?.kind, "path");
  const d = s?.kind === "path" ? s.d : "";
  const [, x1, y1, x2, y2] = /^M([-\d.]+) ([-\d.]+)(?:L([-\d.]+) ([-\d.]+)|H[-\d.]+)/.exec(d) ?? [];
  const along = /^M[-\d.]+ [-\d.]+H([-\d.]+)/.exec(d)?.[1];
  return { x1: Number(x1), y1: Number(y1), x2: Number(x2 ?? along), y2: Number(y2 ?? y1) };
}

/** The y of a lane. @param {Geometry} g @param {string} name */
const laneOf = (g, name) => /** @type {Line} */ (g.groups.find((one) => one.class === "life" && one.key.includes(` ${name} `))?.shapes[0]).y1;

test("an arrow goes from its client's lane to Redis, and the reply back to where the next dot is", () => {
  const { events } = race();
  const g = lay(events);
  for (const { seq, call } of events.filter((e) => e.kind === "deliver")) {
    const shaft = stretch(group(g, `${seq} arrival`)?.shapes[0]);
    assert.equal(shaft.y1, laneOf(g, /** @type {string} */ (call?.client)));
    assert.equal(shaft.x2 - shaft.x1, LEAN, "steep, however late");
    assert.equal(shaft.y2, laneOf(g, "redis") - KNOT);
    const back = stretch(group(g, `${seq + 1} reply`)?.shapes[0]);
    assert.deepEqual([back.x1, back.x2, back.y2], [shaft.x2, shaft.x2 + LEAN, shaft.y1]);
  }
});

test("a request is dotted along its lane from where it is sent to the foot of its arrow", () => {
  const { events, guilty } = race();
  const g = lay(events);
  const call = events[guilty - 1].call;
  const sent = events.find((e) => e.kind === "send" && e.call?.id === call?.id)?.seq;
  const dotted = stretch(group(g, `${sent} flight`)?.shapes[0]);
  const shaft = stretch(group(g, `${guilty} arrival`)?.shapes[0]);
  assert.deepEqual([dotted.x2, dotted.y1, dotted.y2], [shaft.x1, shaft.y1, shaft.y1]);
  assert.ok(dotted.x2 - dotted.x1 > 100, "it waited");
  const label = /** @type {Text} */ (group(g, `${sent} command`)?.shapes[0]);
  assert.deepEqual([label.x, label.text, label.class], [shaft.x1, "DEL", "command"]);
});

test("in flight, the dotted line runs to the playhead", () => {
  const g = lay(race().events.slice(0, 2));
  assert.equal(stretch(group(g, "2 flight")?.shapes[0]).x2, g.playhead);
});

test("what happens later never moves what is already there", () => {
  const { events } = race();
  let before = lay([]);
  for (let n = 1; n <= events.length; n++) {
    const after = lay(events.slice(0, n));
    for (const { key, shapes: then } of before.groups.filter((one) => one.key.endsWith(" arrival"))) {
      const [was, is] = [stretch(then[0]), stretch(group(after, key)?.shapes[0])];
      assert.deepEqual([was.x1, was.x2], [is.x1, is.x2], `after event ${n}`);
    }
    before = after;
  }
});

test("the violation moves no lane: its row is kept free", () => {
  const { events, guilty } = race();
  const lanes = (/** @type {Geometry} */ g) => ["C1", "C2", "C3"].map((name) => laneOf(g, name));
  assert.deepEqual(lanes(lay(events)), lanes(lay(events.slice(0, guilty - 1))));
});

test("two holders: a flag in words, hatched bars, an arrow from the guilty command", () => {
  const g = lay(race().events);
  assert.deepEqual(named(g, "flag-word").map((t) => t.text), ["C2 deleted C1’s lock", "2 holders: C1 + C2"]);
  assert.deepEqual(named(lay(race().events, chinese), "flag-word").map((t) => t.text), ["C2 删除了 C1 的锁", "2 个持有者：C1 + C2"]);
  assert.equal(named(g, "overlap-hatch").length, 2);
  assert.deepEqual(named(g, "cause-word").map((t) => t.text), ["#8 · the cause"]);
});

test("flags that want the same place stand in rows", () => {
  const g = lay(manyFlags());
  const flags = named(g, "flag");
  assert.deepEqual(named(g, "flag-word").map((t) => t.text), ["2 holders: C1 + C2", "lease drift: C1"], "two rows");
  assert.deepEqual(named(g, "flag-more").map((t) => t.text), ["+1"], "a third one is counted beside the nearest");
  flags.forEach((a, i) => flags.slice(i + 1).forEach((b) => {
    assert.ok(a.y + a.height <= b.y || b.y + b.height <= a.y || a.x + a.width <= b.x || b.x + b.width <= a.x);
  }));
});

test("a bar is as wide as its word, a band as its value and writer", () => {
  for (const log of Object.values(logs)) {
    const g = lay(log);
    for (const { shapes: parts } of g.groups) {
      const box = parts.find((s) => s.kind === "rect" && ["hold", "band", "band open"].includes(s.class));
      const words = parts.filter((s) => s.kind === "text");
      if (box?.kind !== "rect") continue;
      for (const t of words) assert.ok(t.box.x >= box.x && t.box.x + t.box.width <= box.x + box.width, `“${t.text}” sticks out`);
    }
  }
});

test("the same marks give the same geometry", () => {
  assert.deepEqual(lay(race().events), lay(race().events));
});

test("a wider pane leaves the past where it is", () => {
  const wide = layout(marks(race().events), { words: english, measure: approximate, columnWidth: 48, width: 2000 });
  assert.equal(wide.width, 2000);
  assert.equal(wide.playhead, lay(race().events).playhead);
});

test("every lane comes into view by scrolling, also the last one above Redis", () => {
  const events = crowd(20);
  for (const height of [360, 520]) {
    /** @param {number} scroll */
    const plan = (scroll) => layout(marks(events), { words: english, measure: approximate, columnWidth: 48, width: 1200, height, scroll });
    /** @param {number} scroll */
    const lanes = (scroll) => plan(scroll).lanes?.() ?? [];
    const most = plan(0).height - height;
    assert.ok(most > 0, `${height} px are too few for all lanes`);
    const seen = new Set(Array.from({ length: most + 1 }, (_, scroll) => lanes(scroll).filter((l) => l.seen).map((l) => l.name)).flat());
    assert.deepEqual(lanes(0).filter((l) => !seen.has(l.name)), [], `${height} px high`);
  }
});

test("in a low pane the rows stand closer before a lane hides: a projector shows the race with its key", () => {
  const height = 230; // 42 % of 720 px for the card and a bar of 72 px leave so much, in letters of 150 %
  const plan = layout(marks(race().events), { words: english, measure: approximate, columnWidth: 48, width: 850, height });
  const lanes = plan.lanes?.() ?? [];
  assert.deepEqual(lanes.map(({ name, seen }) => `${name} ${seen}`), ["C3 true", "C1 true", "C2 true", "redis true"]);
  const g = { width: plan.width, height: plan.height, playhead: plan.playhead, groups: plan.groups(-Infinity, Infinity) };
  for (const band of named(g, "band")) assert.ok(band.y + band.height <= height, `the key's band ends at ${band.y + band.height} of ${height} px`);
  for (const flag of named(g, "flag")) assert.ok(flag.y + flag.height <= lanes[0].at - 12, `the flag ends at ${flag.y + flag.height}, and the first name begins at ${lanes[0].at - 12}`);
});

test("what waits on a lane that is scrolled out of view is not drawn over what stays", () => {
  const events = crowd(20);
  const { words, measure, columnWidth, width } = { words: english, measure: approximate, columnWidth: 48, width: 800 };
  for (const scroll of [0, 90]) {
    const plan = layout(marks(events), { words, measure, columnWidth, width, height: 520, scroll });
    const g = { width: plan.width, height: plan.height, playhead: plan.playhead, groups: plan.groups(-Infinity, Infinity) };
    const [top, bottom] = named(g, "edge").map((edge) => edge.y1);
    const flights = named(g, "flight").map(({ d }) => Number(/^M\S+ ([\d.]+)/.exec(d)?.[1]));
    assert.ok(flights.length > 10, `${flights.length} commands are in flight in view`);
    for (const y of flights) assert.ok(y >= top && y <= bottom, `scrolled by ${scroll}: a command in flight at ${y}, the lanes from ${top} to ${bottom}`);
  }
});

test("a window that has too many marks is drawn one level coarser", () => {
  const t = new Trace();
  for (let i = 1; i <= 8; i++) t.spawn(`C${i}`, "GET lock.foo");
  for (let n = 0; n < 40; n++) for (let i = 1; i <= 8; i++) t.fault(`C${i}`, "crash").fault(`C${i}`, "restart");
  const plan = layout(marks(t.events), { words: english, measure: approximate, columnWidth: 4, width: 0 });
  const [window, everything] = [plan.groups(0, plan.width), plan.groups(-Infinity, Infinity)];
  assert.ok(nodeCount(everything) > BUDGET, `${nodeCount(everything)} nodes are all of it`);
  assert.ok(nodeCount(window) <= BUDGET, `${nodeCount(window)} nodes are in the window`);
});

test("an arrow from a lane that is scrolled out of view begins at the edge", () => {
  const view = /** @type {any} */ ({ top: 50, bottom: 200 });
  assert.deepEqual([10, 120, 990].map((y) => visible(y, view)), [50, 120, 200]);
  assert.equal(visible(10, null), 10);
});
