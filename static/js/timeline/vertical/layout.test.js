import assert from "node:assert/strict";
import { test } from "node:test";

import { marks } from "../model.js";
import { approximate } from "../text.js";
import { fold } from "../../trace/state.js";
import { Trace, crowd, orphan, pause, race } from "../../trace/traces.testdata.js";
import { layout } from "./layout.js";

/**
 * @typedef {import("../../trace/state.js").Event} Event
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../shapes.js").Shape} Shape
 * @typedef {import("../shapes.js").Text} Text
 * @typedef {import("../shapes.js").Line} Line
 * @typedef {import("./layout.js").Plan} Plan
 */

const states = { waits: "waits", asleep: "asleep", inside: "inside", releasing: "releasing", done: "done", crashed: "crashed", down: "down", failed: "failed" };
const english = {
  ...states, timeline: "Timeline", paused: "paused", expired: "expired", until: "until {time}", lost: "lost", storage: "Storage", accepted: "accepted {n}", rejected: "rejected {n}", read: "read {n}", wrote: "wrote {n}", staged: "wrote {n}, uncommitted",
  committed: "committed {n}", nothing: "no transaction",
  cause: "the cause", leave: "Leave", work: "Work on",
  property: { "mutual-exclusion": "{n} holders: {clients}", overlap: "{n} inside: {clients}", "foreign-delete": "{a} deleted {b}’s lock", "lease-drift": "lease drift: {clients}", stuck: "stuck: {clients}" },
};
const chinese = {
  ...english, inside: "临界区内", waits: "等待中", paused: "停顿", expired: "已过期", until: "至 {time}", lost: "丢失",
  cause: "起因", property: { ...english.property, "mutual-exclusion": "{n} 个持有者：{clients}", "foreign-delete": "{a} 删除了 {b} 的锁" },
};

/** @param {Event[]} events @param {number} [width] @param {typeof english} [words] */
const lay = (events, width = 390, words = english) => layout(marks(events), { words, measure: approximate, columnWidth: 48, width });

/** @param {Plan} p */
const all = (p) => p.groups(0, p.height);

/** @param {Plan} p @returns {Shape[]} */
const shapes = (p) => all(p).flatMap((group) => group.shapes);

/** @param {Plan} p @param {string} name @returns {any[]} */
const named = (p, name) => shapes(p).filter((s) => s.class === name);

/** @param {Plan} p @param {string} key @returns {any[]} */
const parts = (p, key) => all(p).find((one) => one.key === key)?.shapes ?? [];

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

/** Requests of an earlier life wait with those of the next, and replies with each other. */
function waiting() {
  const t = new Trace();
  t.spawn("C1", "SETNX lock.foo 1011").fault("C1", "crash").fault("C1", "restart").send("C1", "SETNX lock.foo 1011");
  t.spawn("C2", "SETNX lock.foo 1011").spawn("C3", "GET lock.foo");
  t.act().deliver("C2", "1", { "lock.foo": "1011" }).act().deliver("C3", "1011");
  t.act().emit({ kind: "skew", lane: "C3", skew: -3_000 }).fault("C3", "pause").fault("redis", "crash").fault("redis", "restart");
  t.act().receive("C2").enter("C2", 1_011_000).drop("C3", "reply");
  return t.events;
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
  t.enter("C1", 1_010_000, "C1-1").fault("redis2", "crash");
  return t.events;
}

const logs = {
  empty: [], race: race().events, pause: pause(), orphan: orphan(), crowd: crowd(12), most: crowd(16), flags: manyFlags(),
  long: longWords(), waiting: waiting(), nodes: severalNodes(3), allNodes: severalNodes(9),
};

for (const [name, log] of Object.entries(logs)) {
  for (const [language, words] of Object.entries({ english, chinese })) {
    for (const width of [320, 390]) {
      test(`${name}, ${language}, ${width} px: after every event no texts touch and nothing is outside`, () => {
        for (let n = 0; n <= log.length; n++) check(lay(log.slice(0, n), width, words), width, `after event ${n}`);
      });
    }
  }
}

/** @param {Plan} p @param {number} width @param {string} when */
function check(p, width, when) {
  assert.equal(p.width, width);
  const groups = all(p);
  const drawn = groups.flatMap((g) => g.shapes);
  const texts = /** @type {Text[]} */ (drawn.filter((s) => s.kind === "text")).sort((a, b) => a.box.y - b.box.y);
  texts.forEach((a, i) => {
    for (const b of texts.slice(i + 1)) {
      if (b.box.y >= a.box.y + a.box.height) break;
      const apart = a.box.x + a.box.width <= b.box.x + 0.01 || b.box.x + b.box.width <= a.box.x + 0.01;
      assert.ok(apart, `${when}: “${a.text}” (${a.class}) touches “${b.text}” (${b.class})`);
    }
  });
  for (const s of drawn) {
    for (const [x, y] of corners(s)) {
      assert.ok(x >= 0 && x <= width && y >= 0 && y <= p.height, `${when}: ${s.class} at ${x},${y} is outside`);
    }
  }
  const keys = groups.map((one) => one.key);
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

test("what happens later moves nothing that is there, not even a new client or key", () => {
  for (const log of Object.values(logs)) {
    const ends = [0];
    let before = lay([]);
    for (let n = 1; n <= log.length; n++) {
      const after = lay(log.slice(0, n));
      ends.push(marks(log.slice(0, n)).end);
      // The last row is still being told.
      for (const { seq } of log.slice(0, n - 1)) {
        if (ends[seq] < ends[n - 1]) assert.equal(after.place(seq), before.place(seq), `event ${seq} after event ${n}`);
      }
      before = after;
    }
  }
});

test("time runs downwards: an event is never above one before it", () => {
  for (const log of Object.values(logs)) {
    const p = lay(log);
    const rows = log.filter((e) => ["spawn", "deliver", "tick", "crash", "note"].includes(e.kind)).map((e) => p.place(e.seq));
    assert.deepEqual(rows, [...rows].sort((a, b) => a - b));
    for (const y of rows) assert.ok(y > 0 && y < p.playhead);
  }
});

test("lanes are columns in order of spawning, and Redis is the last", () => {
  const p = lay(race().events);
  const heads = all(p).filter((g) => g.class === "head").flatMap((g) => g.shapes);
  const names = /** @type {Text[]} */ (heads.filter((s) => ["badge-name", "node-name"].includes(s.class)));
  assert.deepEqual(names.sort((a, b) => a.x - b.x).map((t) => t.text), ["C3", "C1", "C2", "Redis"]);
});

test("an arrow falls a little from its client's lane to Redis, and the reply falls back", () => {
  const { events } = race();
  const p = lay(events);
  const redis = named(p, "node")[0].x1;
  for (const { seq, call } of events.filter((e) => e.kind === "deliver")) {
    const sent = events.find((e) => e.kind === "send" && e.call?.id === call?.id)?.seq;
    const [dotted] = /** @type {Line[]} */ (parts(p, `${sent} flight`));
    const [shaft, , knot] = parts(p, `${seq} arrival`);
    assert.deepEqual([shaft.x1, shaft.y1], [dotted.x2, dotted.y2], "it leaves where the dotted line ends");
    assert.ok(shaft.y2 > shaft.y1 && shaft.y2 - shaft.y1 < 16, "hardly falling, however late");
    assert.deepEqual([knot.cx, knot.cy], [redis, shaft.y2]);
    const [back] = parts(p, `${seq + 1} reply`);
    assert.equal(back.x2, shaft.x1);
    assert.ok(back.y1 >= knot.cy && back.y2 > back.y1);
  }
});

test("a late request is dotted along its lane, and its command stands over the foot of its arrow", () => {
  const { events, guilty } = race();
  const p = lay(events);
  const sent = events.find((e) => e.kind === "send" && e.call?.id === events[guilty - 1].call?.id)?.seq;
  const [dotted] = parts(p, `${sent} flight`);
  assert.equal(dotted.x1, dotted.x2);
  assert.ok(dotted.y2 - dotted.y1 > 100, "it waited");
  const [command] = parts(p, `${sent} command`);
  assert.deepEqual([command.text, command.class], ["DEL", "command"]);
  assert.ok(all(p).find((one) => one.key === `${sent} command`)?.blamed, "and is blamed");
  assert.ok(command.y < dotted.y2 && dotted.y2 - command.y < 16);
});

test("in flight, the dotted line runs to the playhead and the command waits under it", () => {
  const log = race().events.slice(0, 2);
  const p = lay(log);
  const [dotted] = parts(p, "2 flight");
  assert.equal(dotted.y2, p.playhead);
  const [word] = words(p, log);
  assert.equal(word.text, "SETNX 1011");
  assert.ok(word.y > p.playhead && word.y < p.height);
});

/** What waits, in words. @param {Plan} p @param {Event[]} log @returns {Text[]} */
const words = (p, log) => p.waiting(fold(log), log.length).flatMap((g) => g.shapes).flatMap((s) => (s.kind === "text" ? [s] : []));

test("tokens are as large as a finger, side by side in the pane, whatever waits", () => {
  for (const log of Object.values(logs)) {
    for (const width of [320, 390]) {
      const p = layout(marks(log), { words: english, measure: approximate, columnWidth: 48, width, tokens: true });
      for (let n = 0; n <= log.length; n++) {
        const state = fold(log.slice(0, n));
        const targets = p.waiting(state, n).flatMap((g) => g.shapes).flatMap((s) => (s.kind === "rect" && s.class === "token-target" ? [s] : []));
        const waits = Object.keys(state.inFlight).length + Object.values(state.clients).filter((c) => c.status === "inside" && !c.paused && !c.request).length;
        assert.equal(targets.length, waits, `after event ${n}`);
        for (const [i, a] of targets.entries()) {
          assert.ok(a.width >= 44 && a.height >= 44 && a.x >= 0 && a.x + a.width <= width && a.y >= p.after(n), `after event ${n}: a target of ${a.width} × ${a.height}`);
          for (const b of targets.slice(i + 1)) {
            assert.ok(a.x + a.width <= b.x + 0.01 || b.x + b.width <= a.x + 0.01 || a.y + a.height <= b.y, `after event ${n}: two tokens touch`);
          }
        }
      }
    }
  }
});

test("the playhead moves down without a leap, and a finger that drags it finds the position again", () => {
  for (const log of Object.values(logs)) {
    const p = lay(log);
    for (let n = 0, before = p.after(0); n <= log.length; n += 0.25) {
      const y = p.after(n);
      assert.ok(y >= before, `at ${n}`);
      assert.ok(Math.abs(p.after(p.at(y)) - y) < 1, `at ${n}`);
      before = y;
    }
    assert.equal(p.after(log.length), p.playhead);
  }
});

test("in a row the playhead stops where the command arrives and where the reply is back", () => {
  const { events } = race();
  const p = lay(events);
  const delivered = events.findIndex((e) => e.kind === "deliver") + 1;
  const [, , knot] = parts(p, `${delivered} arrival`);
  const [back] = parts(p, `${delivered + 1} reply`);
  assert.deepEqual([p.after(delivered), p.after(delivered + 2)], [knot.cy, back.y2]);
});

test("between two events something moves, and nothing is left of it where the action is over", () => {
  const { events } = race();
  const p = lay(events);
  const seen = new Set();
  for (let n = 1; n <= events.length; n++) {
    const before = fold(events.slice(0, n - 1));
    if (events[n]?.action !== events[n - 1].action) assert.deepEqual(p.motion(fold(events.slice(0, n)), n).groups, [], `after event ${n}`);
    for (const part of [0.2, 0.5, 0.9]) {
      for (const { key } of p.motion(before, n - 1 + part).groups) seen.add(key.replace(/^\d+ /, ""));
    }
  }
  for (const what of ["shaft", "flying", "pulse", "rising", "born", "lit", "runs", "snapped", "runs back", "redis lock.foo grows", "redis lock.foo torn"]) assert.ok(seen.has(what), what);
});

test("every command, reply and number is said, with twelve clients too", () => {
  for (const width of [320, 390]) {
    const p = lay(logs.crowd, width);
    const { requests, replies } = marks(logs.crowd);
    assert.equal(words(p, logs.crowd).length, requests.filter((q) => q.fate === "inFlight").length);
    for (const q of requests.filter((one) => one.fate !== "inFlight")) assert.match(parts(p, `${q.seq} command`)[0].text, /^(SETNX|GET)/);
    for (const r of replies) assert.match(parts(p, `${r.seq} value`)[0].text, /^[01]$/);
    assert.deepEqual(named(p, "order").map((t) => t.text), requests.filter((q) => q.order).map((q) => `#${q.order}`));
  }
});

test("a critical section is a bar of 16 px with a belief strip of 7 px beside it", () => {
  const p = lay(race().events);
  const [bar] = named(p, "hold");
  const [strip] = named(p, "lease");
  assert.deepEqual([bar.width, strip.width], [16, 7]);
  assert.ok(strip.x > bar.x + bar.width);
});

test("two holders: tinted rows, a flag in words, hatched bars, an arrow from the guilty command", () => {
  const p = lay(race().events);
  assert.deepEqual(named(p, "flag-word").map((t) => t.text), ["C2 deleted C1’s lock", "2 holders: C1 + C2"]);
  assert.equal(named(p, "overlap-hatch").length, 2);
  assert.deepEqual(named(p, "cause-word").map((t) => t.text), ["#8 · the cause"]);
  assert.ok(named(p, "tint").every((t) => t.x === 0 && t.width === 390));
});

test("a value and its writer stand in the band where it is wide enough, and else beside the lane", () => {
  assert.deepEqual(named(lay(race().events), "band-value").map((t) => t.text), ["1011", "C3", "1023", "C1", "1023", "C2"]);
  assert.deepEqual(named(lay(logs.crowd, 320), "band-value").map((t) => t.text), ["1011 · C1"]);
});

test("a stretch is drawn with what touches it, and with the heads", () => {
  for (const log of [logs.race, logs.pause, logs.crowd]) {
    const p = lay(log);
    const whole = all(p);
    for (let from = 0; from < p.height; from += 100) {
      const to = from + 150;
      const found = p.groups(from, to);
      const keys = new Set(found.map((g) => g.key));
      for (const g of whole) {
        if (g.class === "head" || touches(g, from, to)) assert.ok(keys.has(g.key), `${g.key} touches ${from} to ${to}`);
      }
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

test("a stretch of a long run costs what is in it", () => {
  const t = new Trace();
  t.spawn("C1", "GET lock.foo").step("C1", "nil").enter("C1", 1_000_000_000);
  for (let i = 0; i < 500; i++) t.send("C1", "GET lock.foo").step("C1", "nil");
  const p = lay(t.events);
  assert.ok(all(p).length > 2_000);
  const middle = p.groups(p.height / 2, p.height / 2 + 600);
  assert.ok(middle.length < 120, `${middle.length} groups`);
});

test("the same marks give the same drawing", () => {
  assert.deepEqual(all(lay(race().events)), all(lay(race().events)));
});

test("the pane is filled, and a wider one moves nothing down", () => {
  const [narrow, wide] = [lay(race().events, 320), lay(race().events, 560)];
  assert.equal(wide.width, 560);
  for (const { seq } of race().events) assert.equal(wide.place(seq), narrow.place(seq));
  assert.equal(layout(marks(race().events), { words: english, measure: approximate, columnWidth: 48, width: 0 }).width, 288);
});
