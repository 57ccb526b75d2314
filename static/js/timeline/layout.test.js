import assert from "node:assert/strict";
import { test } from "node:test";

import { AXES } from "./axis.js";
import { loadDown } from "./downwards.js";
import { layout } from "./layout.js";
import { marks } from "./model.js";
import { coarse } from "./parts/coarse.js";
import { BUDGET, nodeCount } from "./plan.js";
import { visible } from "./rows.js";
import { KNOT, LEAN } from "./scale.js";
import { approximate } from "./text.js";
import { chinese, english } from "./words.testdata.js";
import { fold } from "../trace/state.js";
import { Trace, crowd, orphan, pause, race } from "../trace/traces.testdata.js";

await loadDown();

/**
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {import("./plan.js").Plan} Plan
 * @typedef {import("./shapes.js").Group} Group
 * @typedef {import("./shapes.js").Shape} Shape
 * @typedef {import("./shapes.js").Text} Text
 * @typedef {{name: "x" | "y", width: number}} Way  a direction of time, and the width of the pane
 * @typedef {{plan: Plan, way: Way, groups: Group[]}} Picture  all of a plan
 */

const TO_THE_RIGHT = /** @type {const} */ ({ name: "x", width: 0 });
const DOWN = /** @type {const} */ ({ name: "y", width: 390 });
const WAYS = [TO_THE_RIGHT, DOWN];

/** @param {Event[]} events @param {Way} [way] @param {object} [options] @returns {Picture} */
function lay(events, way = TO_THE_RIGHT, options = {}) {
  const plan = layout(marks(events), { words: english, measure: approximate, columnWidth: 48, coarse, axis: way.name, width: way.width, ...options });
  return { plan, way, groups: [...plan.groups(-Infinity, Infinity), ...(way.name === "y" ? plan.heads(fold(events)) : [])] };
}

/** @param {Picture} g @returns {Shape[]} */
const shapes = (g) => g.groups.flatMap((group) => group.shapes);

/** @param {Group[]} groups @returns {Text[]} */
const texts = (groups) => groups.flatMap((g) => g.shapes.flatMap((s) => (s.kind === "text" ? [s] : [])));

/** @param {Picture} g @param {string} name @returns {any[]} */
const named = (g, name) => shapes(g).filter((s) => s.class === name);

/** @param {Picture} g @param {string} key */
const group = (g, key) => g.groups.find((one) => one.key === key);

/** @param {Picture} g @param {string} key @returns {any} */
const first = (g, key) => group(g, key)?.shapes[0];

/** Violations that come one upon the other, among more clients than a flag can name. */
function manyFlags() {
  const t = new Trace();
  const clients = ["C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8"];
  for (const c of clients) t.spawn(c, "SETNX lock.foo 1011");
  for (const c of clients) t.step(c, "1", { "lock.foo": c }).enter(c, 1_011_000);
  for (const c of clients.slice(1)) t.violation("mutual-exclusion", ["C1", c], 17);
  t.violation("lease-drift", ["C1"], 21).violation("stuck", clients, 25);
  t.leave("C1", "DEL lock.foo").step("C1", "1", { "lock.foo": null }).violation("foreign-delete", ["C1", "C8"], t.last - 2);
  return t.events;
}

/** Two violations that come one upon the other. */
function twoFlags() {
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

/** Words longer than a lane is wide, in both scripts. */
function longWords() {
  const t = new Trace();
  t.spawn("C1", "SET lock.foo C1-1 NX PX 10000").step("C1", "OK", { "lock.foo": "a token far too long for a band" }, 1_010_000).enter("C1", 1_010_000);
  t.leave("C1", "EVAL compare-and-delete lock.foo C1-1").step("C1", "a reply far too long to be shown whole").emit({ kind: "done", lane: "C1" });
  t.spawn("C2", "SETNX a.key.with.a.rather.long.name 1").step("C2", "1", { "a.key.with.a.rather.long.name": "1" });
  t.emit({ kind: "error", lane: "C2", text: "no" });
  t.act().emit({ kind: "note", text: "A note of many more words than there is room for on one line of a phone that is held upright, or even on four of them, so that it has to end early." });
  t.act().emit({ kind: "note", text: "一条很长的备注，长到竖着拿的手机一行放不下，只能折成好几行来显示，直到实在放不下为止。" });
  t.tick(1_000).tick(86_400_000).tick(500);
  return t.events;
}

/** Requests of an earlier life wait with those of the next, and replies with each other. @param {boolean} [to] to the end */
function waiting(to = false) {
  const t = new Trace();
  t.spawn("C1", "SETNX lock.foo 1011").fault("C1", "crash").fault("C1", "restart").send("C1", "SETNX lock.foo 1011");
  t.spawn("C2", "SETNX lock.foo 1011").spawn("C3", "GET lock.foo");
  t.act().deliver("C2", "1", { "lock.foo": "1011" }).act().deliver("C3", "1011");
  t.act().emit({ kind: "skew", lane: "C3", skew: -3_000 }).fault("C3", "pause");
  if (!to) return t.events;
  return t.fault("redis", "crash").fault("redis", "restart").act().receive("C2").enter("C2", 1_011_000).drop("C3", "reply").events;
}

/** @param {number} nodes */
function severalNodes(nodes) {
  const t = new Trace();
  for (let n = 1; n <= nodes; n++) {
    const node = n === 1 ? "redis" : `redis${n}`;
    if (n === 1) t.spawn("C1", "SET lock.foo C1-1 NX PX 10000");
    else t.send("C1", "SET lock.foo C1-1 NX PX 10000", node);
    t.step("C1", "OK", { "lock.foo": "C1-1" }, 1_010_000);
  }
  return t.enter("C1", 1_010_000, "C1-1").fault("redis2", "crash").events;
}

const both = { empty: [], race: race().events, pause: pause(), orphan: orphan(), crowd: crowd(12) };
const toTheRight = { ...both, flags: twoFlags(), long: longCommands(), waiting: waiting() };
const down = {
  ...both, most: crowd(16), flags: manyFlags(), long: longWords(), waiting: waiting(true), nodes: severalNodes(3), allNodes: severalNodes(9),
};

for (const [way, logs] of /** @type {const} */ ([[TO_THE_RIGHT, toTheRight], [{ ...DOWN, width: 320 }, down], [DOWN, down]])) {
  for (const [name, log] of Object.entries(logs)) {
    for (const [language, words] of Object.entries({ english, chinese })) {
      test(`${name}, ${language}, along ${way.name} in ${way.width} px: after every event no texts touch and nothing is cut`, () => {
        for (let n = 0; n <= log.length; n++) check(lay(log.slice(0, n), way, { words }), `after event ${n}`);
      });
    }
  }
}

/** @param {Picture} g @param {string} when */
function check(g, when) {
  const { width, height } = g.plan;
  if (g.way.name === "y") assert.equal(width, g.way.width);
  const all = texts(g.groups).sort((a, b) => a.box.y - b.box.y);
  all.forEach((a, i) => {
    for (const b of all.slice(i + 1)) {
      if (b.box.y >= a.box.y + a.box.height) break;
      const apart = a.box.x + a.box.width <= b.box.x + 0.01 || b.box.x + b.box.width <= a.box.x + 0.01;
      assert.ok(apart, `${when}: “${a.text}” (${a.class}) touches “${b.text}” (${b.class})`);
    }
  });
  for (const s of shapes(g)) {
    for (const [x, y] of corners(s)) assert.ok(x >= 0 && x <= width && y >= 0 && y <= height, `${when}: ${s.class} at ${x},${y} is outside`);
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
    case "text": return [[s.box.x, s.box.y], [s.box.x + s.box.width, s.box.y + s.box.height]];
    default: return [];
  }
}

/** The first stretch of a path, along the axis and across it. @param {Picture} g @param {Shape | undefined} s */
function stretch({ way }, s) {
  assert.equal(s?.kind, "path");
  const d = s?.kind === "path" ? s.d : "";
  const [, x1, y1, command, a, b] = (/^M([-\d.]+) ([-\d.]+)([LHV])([-\d.]+)(?: ([-\d.]+))?/.exec(d) ?? []);
  const [x, y] = [command === "V" ? x1 : a, command === "L" ? b : command === "V" ? a : y1];
  const [from, to] = [AXES[way.name].xy(Number(x1), Number(y1)), AXES[way.name].xy(Number(x), Number(y))];
  return { from: { along: from[0], across: from[1] }, to: { along: to[0], across: to[1] } };
}

/** @param {Picture} g @param {string} name */
const laneOf = ({ plan }, name) => plan.lanes().find((lane) => lane.name === name)?.at;

/** @param {Event[]} events @param {Event["call"]} call */
const sendOf = (events, call) => events.find((e) => e.kind === "send" && e.call?.id === call?.id)?.seq;

for (const way of WAYS) {
  test(`along ${way.name}: an arrow goes steeply from its client's lane to Redis, and the reply back to where the next dot is`, () => {
    const { events } = race();
    const g = lay(events, way);
    const lead = way.name === "x" ? LEAN : 8;
    for (const { seq, call } of events.filter((e) => e.kind === "deliver")) {
      const shaft = stretch(g, first(g, `${seq} arrival`));
      assert.equal(shaft.from.across, laneOf(g, /** @type {string} */ (call?.client)));
      assert.equal(shaft.to.along - shaft.from.along, lead, "steep, however late");
      assert.ok(Math.abs(shaft.to.across - (Number(laneOf(g, "redis")) - KNOT)) < 0.01);
      const back = stretch(g, first(g, `${seq + 1} reply`));
      assert.equal(back.to.across, shaft.from.across);
      assert.ok(back.from.along >= shaft.to.along && back.to.along > back.from.along);
      if (way.name === "x") assert.deepEqual([back.from.along, back.to.along], [shaft.to.along, shaft.to.along + LEAN]);
    }
  });

  test(`along ${way.name}: a request is dotted along its lane to the foot of its arrow, over which its command stands`, () => {
    const { events, guilty } = race();
    const g = lay(events, way);
    const sent = sendOf(events, events[guilty - 1].call);
    const dotted = stretch(g, first(g, `${sent} flight`));
    assert.deepEqual(dotted.to, stretch(g, first(g, `${guilty} arrival`)).from);
    assert.equal(dotted.from.across, dotted.to.across);
    assert.ok(dotted.to.along - dotted.from.along > 100, "it waited");
    const label = first(g, `${sent} command`);
    assert.deepEqual([label.text, label.class], ["DEL", "command"]);
    assert.ok(group(g, `${sent} command`)?.blamed, "and is blamed");
    if (way.name === "x") assert.ok(Math.abs(label.x - dotted.to.along) < 8);
    else assert.ok(label.y < dotted.to.along && dotted.to.along - label.y < 16);
  });

  test(`along ${way.name}: in flight, the dotted line runs to the playhead, beyond which the command waits`, () => {
    const log = race().events.slice(0, 2);
    const g = lay(log, way);
    assert.equal(stretch(g, first(g, "2 flight")).to.along, g.plan.playhead);
    const [word] = texts(g.plan.waiting(fold(log), log.length));
    assert.equal(word.text, "SETNX 1011");
    assert.ok(AXES[way.name].xy(word.x, word.y)[0] > g.plan.playhead);
  });

  test(`along ${way.name}: two holders are a flag in words, hatched bars and an arrow from the guilty command`, () => {
    const g = lay(race().events, way);
    assert.deepEqual(named(g, "flag-word").map((t) => t.text), ["C2 deleted C1’s lock", "2 holders: C1 + C2"]);
    assert.deepEqual(named(lay(race().events, way, { words: chinese }), "flag-word").map((t) => t.text), ["C2 删除了 C1 的锁", "2 个持有者：C1 + C2"]);
    assert.equal(named(g, "overlap-hatch").length, 2);
    assert.deepEqual(named(g, "cause-word").map((t) => t.text), ["#8 · the cause"]);
  });

  test(`along ${way.name}: an event never stands before an earlier one`, () => {
    for (const log of Object.values(down)) {
      const { plan } = lay(log, way);
      const places = log.filter((e) => ["spawn", "deliver", "tick", "crash", "note"].includes(e.kind)).map((e) => plan.place(e.seq));
      assert.deepEqual(places, [...places].sort((a, b) => a - b));
      for (const px of places) assert.ok(px > 0 && px < plan.playhead);
    }
  });

  test(`along ${way.name}: the same marks give the same drawing`, () => {
    assert.deepEqual(lay(race().events, way).groups, lay(race().events, way).groups);
  });
}

test("what happens later never moves what is already there", () => {
  const { events } = race();
  let before = lay([]);
  for (let n = 1; n <= events.length; n++) {
    const after = lay(events.slice(0, n));
    for (const { key, shapes: then } of before.groups.filter((one) => one.key.endsWith(" arrival"))) {
      const [was, is] = [stretch(before, then[0]), stretch(after, first(after, key))];
      assert.deepEqual([was.from.along, was.to.along], [is.from.along, is.to.along], `after event ${n}`);
    }
    before = after;
  }
});

test("what happens later moves nothing down, not even a new client or key", () => {
  for (const log of Object.values(down)) {
    const ends = [0];
    let before = lay([], DOWN).plan;
    for (let n = 1; n <= log.length; n++) {
      const after = lay(log.slice(0, n), DOWN).plan;
      ends.push(marks(log.slice(0, n)).end);
      // The last row is still being told.
      for (const { seq } of log.slice(0, n - 1)) {
        if (ends[seq] < ends[n - 1]) assert.equal(after.place(seq), before.place(seq), `event ${seq} after event ${n}`);
      }
      before = after;
    }
  }
});

test("the violation moves no lane: its row is kept free", () => {
  const { events, guilty } = race();
  const lanes = (/** @type {Picture} */ g) => ["C1", "C2", "C3"].map((name) => laneOf(g, name));
  assert.deepEqual(lanes(lay(events)), lanes(lay(events.slice(0, guilty - 1))));
});

test("stacked flags leave the width to what has happened, and move no lane", () => {
  const { events, guilty } = race();
  const by = { height: 440, stacked: 360 };
  const g = lay(events, TO_THE_RIGHT, by);
  assert.ok(named(g, "flag").length > 1);
  for (const { x, width } of named(g, "flag")) assert.ok(x + width <= g.plan.playhead, "no flag reaches into the future");
  const lanes = (/** @type {Picture} */ one) => ["C1", "C2", "C3"].map((name) => laneOf(one, name));
  assert.deepEqual(lanes(g), lanes(lay(events.slice(0, guilty - 1), TO_THE_RIGHT, by)));
});

test("flags that want the same place stand in rows", () => {
  const g = lay(twoFlags());
  const flags = named(g, "flag");
  assert.deepEqual(named(g, "flag-word").map((t) => t.text), ["2 holders: C1 + C2", "lease drift: C1"], "two rows");
  assert.deepEqual(named(g, "flag-more").map((t) => t.text), ["+1"], "a third one is counted beside the nearest");
  flags.forEach((a, i) => flags.slice(i + 1).forEach((b) => {
    assert.ok(a.y + a.height <= b.y || b.y + b.height <= a.y || a.x + a.width <= b.x || b.x + b.width <= a.x);
  }));
});

test("a bar is as wide as its word, a band as its value and writer", () => {
  for (const log of Object.values(toTheRight)) {
    for (const { shapes: parts } of lay(log).groups) {
      const box = parts.find((s) => s.kind === "rect" && ["hold", "band", "band open"].includes(s.class));
      const words = parts.filter((s) => s.kind === "text");
      if (box?.kind !== "rect") continue;
      for (const t of words) assert.ok(t.box.x >= box.x && t.box.x + t.box.width <= box.x + box.width, `“${t.text}” sticks out`);
    }
  }
});

test("a wider pane leaves the past where it is", () => {
  const { plan } = lay(race().events, { ...TO_THE_RIGHT, width: 2000 });
  assert.equal(plan.width, 2000);
  assert.equal(plan.playhead, lay(race().events).plan.playhead);
  const [narrow, wide] = [320, 560].map((width) => lay(race().events, { ...DOWN, width }).plan);
  assert.equal(wide.width, 560);
  for (const { seq } of race().events) assert.equal(wide.place(seq), narrow.place(seq));
  assert.equal(lay(race().events, { ...DOWN, width: 0 }).plan.width, 288);
});

test("every lane comes into view by scrolling, also the last one above Redis", () => {
  for (const height of [360, 520]) {
    /** @param {number} scroll */
    const plan = (scroll) => lay(crowd(20), { ...TO_THE_RIGHT, width: 1200 }, { height, scroll }).plan;
    const most = plan(0).height - height;
    assert.ok(most > 0, `${height} px are too few for all lanes`);
    const seen = new Set(Array.from({ length: most + 1 }, (_, scroll) => plan(scroll).lanes().filter((l) => l.seen).map((l) => l.name)).flat());
    assert.deepEqual(plan(0).lanes().filter((l) => !seen.has(l.name)), [], `${height} px high`);
  }
});

test("in a low pane the rows stand closer before a lane hides: a projector shows the race with its key", () => {
  const height = 230; // 42 % of 720 px for the card and a bar of 72 px leave that much, in letters of 150 %
  const g = lay(race().events, { ...TO_THE_RIGHT, width: 850 }, { height });
  const lanes = g.plan.lanes();
  assert.deepEqual(lanes.map(({ name, seen }) => `${name} ${seen}`), ["C3 true", "C1 true", "C2 true", "redis true"]);
  for (const band of named(g, "band")) assert.ok(band.y + band.height <= height, `the key's band ends at ${band.y + band.height} of ${height} px`);
  for (const flag of named(g, "flag")) assert.ok(flag.y + flag.height <= lanes[0].at - 12, `the flag ends at ${flag.y + flag.height}, and the first name begins at ${lanes[0].at - 12}`);
});

test("what waits on a lane that is scrolled out of view is not drawn over what stays", () => {
  for (const scroll of [0, 90]) {
    const g = lay(crowd(20), { ...TO_THE_RIGHT, width: 800 }, { height: 520, scroll });
    const [top, bottom] = named(g, "edge").map((edge) => edge.y1);
    const flights = named(g, "flight").map((s) => stretch(g, s).from.across);
    assert.ok(flights.length > 10, `${flights.length} commands are in flight in view`);
    for (const y of flights) assert.ok(y >= top && y <= bottom, `scrolled by ${scroll}: a command in flight at ${y}, the lanes from ${top} to ${bottom}`);
  }
});

test("a window that has too many marks is drawn one level coarser", () => {
  const t = new Trace();
  for (let i = 1; i <= 8; i++) t.spawn(`C${i}`, "GET lock.foo");
  for (let n = 0; n < 40; n++) for (let i = 1; i <= 8; i++) t.fault(`C${i}`, "crash").fault(`C${i}`, "restart");
  const { plan, groups } = lay(t.events, TO_THE_RIGHT, { columnWidth: 4 });
  const window = plan.groups(0, plan.width);
  assert.ok(nodeCount(groups) > BUDGET, `${nodeCount(groups)} nodes are all of it`);
  assert.ok(nodeCount(window) <= BUDGET, `${nodeCount(window)} nodes are in the window`);
});

test("an arrow from a lane that is scrolled out of view begins at the edge", () => {
  const view = { top: 50, bottom: 200 };
  assert.deepEqual([10, 120, 990].map((y) => visible(y, view)), [50, 120, 200]);
  assert.equal(visible(10, null), 10);
});

test("where time runs down, lanes are columns in order of spawning, and Redis is the last", () => {
  const names = texts(lay(race().events, DOWN).groups).filter((s) => ["badge-name", "node-name"].includes(s.class));
  assert.deepEqual(names.sort((a, b) => a.x - b.x).map((t) => t.text), ["C3", "C1", "C2", "Redis"]);
});

test("tokens are as large as a finger, side by side in the pane, whatever waits", () => {
  for (const log of Object.values(down)) {
    for (const width of [320, 390]) {
      const { plan } = lay(log, { ...DOWN, width }, { tokens: true });
      for (let n = 0; n <= log.length; n++) {
        const state = fold(log.slice(0, n));
        const targets = plan.waiting(state, n).flatMap((g) => g.shapes).flatMap((s) => (s.kind === "rect" && s.class === "token-target" ? [s] : []));
        const waits = Object.keys(state.inFlight).length + Object.values(state.clients).filter((c) => c.status === "inside" && !c.paused && !c.request).length;
        assert.equal(targets.length, waits, `after event ${n}`);
        for (const [i, a] of targets.entries()) {
          assert.ok(a.width >= 44 && a.height >= 44 && a.x >= 0 && a.x + a.width <= width && a.y >= plan.after(n), `after event ${n}: a target of ${a.width} × ${a.height}`);
          for (const b of targets.slice(i + 1)) {
            assert.ok(a.x + a.width <= b.x + 0.01 || b.x + b.width <= a.x + 0.01 || a.y + a.height <= b.y, `after event ${n}: two tokens touch`);
          }
        }
      }
    }
  }
});

test("in a row the playhead stops where the command arrives and where the reply is back", () => {
  const { events } = race();
  const g = lay(events, DOWN);
  const delivered = events.findIndex((e) => e.kind === "deliver") + 1;
  const [arrow, back] = [`${delivered} arrival`, `${delivered + 1} reply`].map((key) => stretch(g, first(g, key)).to.along);
  assert.deepEqual([g.plan.after(delivered), g.plan.after(delivered + 2)], [arrow, back]);
});

test("where time runs down, every command, reply and number is said, with twelve clients too", () => {
  for (const width of [320, 390]) {
    const g = lay(down.crowd, { ...DOWN, width });
    const { requests, replies } = marks(down.crowd);
    assert.equal(texts(g.plan.waiting(fold(down.crowd), down.crowd.length)).length, requests.filter((q) => q.fate === "inFlight").length);
    for (const q of requests.filter((one) => one.fate !== "inFlight")) assert.match(first(g, `${q.seq} command`).text, /^(SETNX|GET)/);
    for (const r of replies) assert.match(first(g, `${r.seq} value`).text, /^[01]$/);
    assert.deepEqual(named(g, "order").map((t) => t.text), requests.filter((q) => q.order).map((q) => `#${q.order}`));
  }
});

test("where time runs down, a critical section is a bar of 16 px with a belief strip of 7 px beside it, and a violation tints rows", () => {
  const g = lay(race().events, DOWN);
  const [[bar], [strip]] = [named(g, "hold"), named(g, "lease")];
  assert.deepEqual([bar.width, strip.width], [16, 7]);
  assert.ok(strip.x > bar.x + bar.width);
  assert.ok(named(g, "tint").every((t) => t.x === 0 && t.width === 390));
});

test("a value and its writer stand in the band where it is wide enough, and else beside the lane", () => {
  assert.deepEqual(named(lay(race().events, DOWN), "band-value").map((t) => t.text), ["1011", "1023", "1023"]);
  assert.deepEqual(named(lay(race().events, DOWN), "band-writer").map((t) => t.text), ["C3", "C1", "C2"]);
  assert.deepEqual(named(lay(down.crowd, { ...DOWN, width: 320 }), "band-value").map((t) => t.text), ["1011 by C1"]);
});

test("where time runs down, a stretch is drawn with what touches it", () => {
  for (const log of [down.race, down.pause, down.crowd]) {
    const { plan } = lay(log, DOWN);
    const whole = plan.groups(-Infinity, Infinity);
    for (let from = 0; from < plan.height; from += 100) {
      const to = from + 150;
      const found = plan.groups(from, to);
      const keys = new Set(found.map((g) => g.key));
      for (const g of whole) if (touches(g, from, to)) assert.ok(keys.has(g.key), `${g.key} touches ${from} to ${to}`);
      const order = new Map(whole.map((g, i) => [g.key, i]));
      const at = found.map((g) => order.get(g.key) ?? -1);
      assert.deepEqual(at, [...at].sort((a, b) => a - b), "in the order of the whole");
    }
  }
});

/** @param {Group} g @param {number} from @param {number} to */
function touches({ shapes: drawn }, from, to) {
  const ys = drawn.flatMap(corners).map(([, y]) => y);
  return Math.min(...ys) <= to && Math.max(...ys) >= from;
}

test("where time runs down, a stretch of a long run costs what is in it", () => {
  const t = new Trace();
  t.spawn("C1", "GET lock.foo").step("C1", "nil").enter("C1", 1_000_000_000);
  for (let i = 0; i < 500; i++) t.send("C1", "GET lock.foo").step("C1", "nil");
  const { plan, groups } = lay(t.events, DOWN);
  assert.ok(groups.length > 2_000);
  const middle = plan.groups(plan.height / 2, plan.height / 2 + 600);
  assert.ok(middle.length < 120, `${middle.length} groups`);
});
