import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { VERSION, backOff } from "../run/socket.js";
import { NOTHING, album, complete, ended, extent, follow, forgotten, opening, playhead, reaches, scenario, written } from "./log.js";

/** @param {string} name  a sample of web/PROTOCOL.md, as the server sends it */
const sample = (name) => JSON.parse(readFileSync(new URL(`../../../web/testdata/protocol/${name}.json`, import.meta.url), "utf8"));

test("the log follows the messages of the protocol", () => {
  const hello = sample("hello");
  assert.equal(hello.version, VERSION);
  const begun = follow(NOTHING, hello);
  assert.deepEqual(begun.events, hello.events);
  assert.equal(scenario(begun), "spawn C1 naive\n");

  const events = sample("events");
  const stepped = follow(begun, events);
  assert.deepEqual(stepped.events.map((e) => e.seq), [...stepped.events.keys()].map((i) => i + 1));
  assert.equal(stepped.events.length, hello.events.length + events.events.length);
  assert.equal(begun.events.length, hello.events.length, "the log before is left as it was");
  assert.equal(scenario(stepped), "spawn C1 naive\nstep C1\n");
});

test("a viewer that comes back hears what it has missed", () => {
  const hello = sample("hello");
  const whole = follow(follow(NOTHING, hello), sample("events"));
  assert.equal(extent(follow(NOTHING, hello)), "epoch=m4x8d0w2hs&after=1&since=2");
  const missed = { ...hello, header: undefined, actions: 2, total: 6, after: 1, lines: whole.lines.slice(1), since: 2, events: whole.events.slice(2) };
  assert.deepEqual(follow(follow(NOTHING, hello), missed), whole);
});

test("a log comes in stretches, in whatever order they arrive", () => {
  const whole = follow(follow(NOTHING, sample("hello")), sample("events"));
  const { epoch } = whole;
  /** @param {number} since @param {number} [to] */
  const stretch = (since, to) => ({ epoch, actions: 2, total: 6, after: 2, since, events: whole.events.slice(since, to) });
  const begun = follow(NOTHING, { epoch, actions: 2, total: 6, events: whole.events.slice(0, 2) });
  assert.deepEqual([begun.header, written(begun), complete(begun), extent(begun)], [undefined, false, false, `epoch=${epoch}&after=0&since=2`]);
  assert.deepEqual([reaches(begun, 0), reaches(begun, 1)], [true, false], "there may be more of the last action");
  assert.equal(follow(begun, stretch(4)).events, begun.events, "a gap is not filled with what comes after it");
  assert.deepEqual([complete(ended(begun)), ended(begun).actions, ended(begun).total, scenario(ended(begun))], [true, 0, 2, ""], "nobody has the rest any more");
  const text = follow(begun, { epoch, actions: 2, header: "", lines: whole.lines });
  assert.deepEqual([written(text), complete(text)], [true, false]);
  const most = follow(text, stretch(2, 5));
  assert.equal(follow(most, stretch(1, 3)).events, most.events, "what is known already changes nothing");
  assert.equal(follow(most, stretch(2, 3)).events.length, 5, "what was overtaken on its way takes nothing back");
  const all = follow(most, stretch(3));
  assert.deepEqual(all, whole);
  assert.deepEqual([complete(all), reaches(all, 2)], [true, true]);
});

test("a hello says how long the log is, and a log of another epoch is another one", () => {
  const hello = sample("hello");
  const log = follow(follow(NOTHING, hello), sample("events"));
  const shorter = follow(log, { ...hello, header: undefined, after: 1, lines: [], since: 2, events: [] });
  assert.deepEqual([shorter.actions, shorter.lines.length, shorter.total, shorter.events.length, shorter.header], [1, 1, 2, 2, ""]);
  assert.deepEqual(follow(log, { ...hello, epoch: "another" }), { ...follow(NOTHING, hello), epoch: "another" });
  assert.equal(follow(log, { ...hello, header: undefined, after: 0 }).header, undefined, "that of a run without actions may be new, and is asked for");
});

test("a stretch of another epoch continues nothing that is known", () => {
  const log = follow(follow(NOTHING, sample("hello")), sample("events"));
  const other = follow(log, { epoch: "another", actions: 1, after: 0, lines: ["spawn C9"], since: 0, events: [] });
  assert.deepEqual([other.epoch, other.lines, other.events], ["another", ["spawn C9"], []]);
});

test("the epoch and the lines show that the server has lost a run", () => {
  const hello = sample("hello");
  const log = follow(follow(NOTHING, hello), sample("events"));
  assert.equal(forgotten(log, { ...hello, epoch: "another" }), true);
  assert.equal(forgotten(log, { ...hello, epoch: "another", lines: [...log.lines, "tick 1s"] }), false);
  assert.equal(forgotten(log, hello), false);
});

test("the playhead of a position is its last event", () => {
  const events = follow(follow(NOTHING, sample("hello")), sample("events")).events;
  for (const position of [0, 1, 2, 9]) {
    assert.equal(playhead(events, position), events.filter((e) => e.action <= position).length);
  }
});

test("the panels of a position are those before it, with the changes", () => {
  const seen = album();
  seen.add(1, { a: "1", b: "1" });
  seen.add(2, { b: "2" }, 1);
  assert.deepEqual(seen.at(2), { a: "1", b: "2" });
  assert.deepEqual(seen.at(1), { a: "1", b: "1" });
  assert.equal(seen.at(3), undefined);
});

test("attempts to reconnect are ever further apart, up to a bound, and jittered", () => {
  const attempts = [0, 1, 2, 3, 4, 5, 6, 20, 2000];
  assert.deepEqual(attempts.map((n) => backOff(n, 0)), [125, 250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
  assert.deepEqual(attempts.map((n) => backOff(n, 1)), [250, 500, 1000, 2000, 4000, 8000, 10000, 10000, 10000]);
});

test("of many panels the last are kept, and each is whole", () => {
  const seen = album();
  for (let at = 0; at <= 1000; at++) seen.add(at, { caption: `at ${at}`, clients: "C1" });
  assert.equal(seen.at(0), undefined);
  assert.deepEqual(seen.at(1000), { caption: "at 1000", clients: "C1" });
  seen.add(1001, { caption: "at 1001" }, 1000);
  assert.deepEqual(seen.at(1001), { caption: "at 1001", clients: "C1" });
  seen.add(1002, { caption: "at 1002" }, 0);
  assert.equal(seen.at(1002), undefined);
});

test("a run is ready to be played when its first clients stand on their lanes", () => {
  /** @param {string[]} kinds  of the first events of each action */
  const events = (...kinds) => kinds.flatMap((kind, i) => [{ action: i + 1, kind }, { action: i + 1, kind: "send" }]);
  for (const [at, kinds] of /** @type {[number, string[]][]} */ ([[2, ["spawn", "spawn", "deliver", "spawn"]], [0, ["tick", "spawn"]], [1, ["spawn"]], [0, []]])) {
    assert.equal(opening(/** @type {any} */ (events(...kinds))), at);
  }
});
