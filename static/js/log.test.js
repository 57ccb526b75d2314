import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { VERSION, backOff } from "./live.js";
import { album, follow, forgotten, playhead, scenario } from "./log.js";

/** @param {string} name  a sample of web/PROTOCOL.md, as the server sends it */
const sample = (name) => JSON.parse(readFileSync(new URL(`../../web/testdata/protocol/${name}.json`, import.meta.url), "utf8"));

/** @type {import("./log.js").Log} */
const nothing = { epoch: "", header: "", lines: [], events: [] };

test("the log follows the messages of the protocol", () => {
  const hello = sample("hello");
  assert.equal(hello.version, VERSION);
  const begun = follow(nothing, hello);
  assert.deepEqual(begun.events, hello.events);
  assert.equal(scenario(begun), "spawn C1 naive\n");

  const events = sample("events");
  const stepped = follow(begun, events);
  assert.deepEqual(stepped.events.map((e) => e.seq), [...stepped.events.keys()].map((i) => i + 1));
  assert.equal(stepped.events.length, hello.events.length + events.events.length);
  assert.equal(begun.events.length, hello.events.length, "the log before is left as it was");
  assert.equal(scenario(stepped), "spawn C1 naive\nstep C1\n");
});

test("a viewer that comes back is told what it has missed", () => {
  const hello = sample("hello");
  const whole = follow(follow(nothing, hello), sample("events"));
  const missed = { ...hello, lines: whole.lines, since: 2, events: whole.events.slice(2) };
  assert.deepEqual(follow(follow(nothing, hello), missed), whole);
});

test("a run that the server has forgotten is known by its epoch and its lines", () => {
  const hello = sample("hello");
  const log = follow(follow(nothing, hello), sample("events"));
  assert.equal(forgotten(log, { ...hello, epoch: "another" }), true);
  assert.equal(forgotten(log, { ...hello, epoch: "another", lines: [...log.lines, "tick 1s"] }), false);
  assert.equal(forgotten(log, hello), false);
});

test("the playhead of a position is its last event", () => {
  const events = follow(follow(nothing, sample("hello")), sample("events")).events;
  for (const position of [0, 1, 2, 9]) {
    assert.equal(playhead(events, position), events.filter((e) => e.action <= position).length);
  }
});

test("what the panels show at a position is what they showed before and what changed", () => {
  const seen = album();
  seen.add(1, { a: "1", b: "1" });
  seen.add(2, { b: "2" }, 1);
  assert.deepEqual(seen.at(2), { a: "1", b: "2" });
  assert.deepEqual(seen.at(1), { a: "1", b: "1" });
  assert.equal(seen.at(3), undefined);
});

test("attempts to connect again are ever further apart, up to a bound, and jittered", () => {
  const attempts = [0, 1, 2, 3, 4, 5, 6, 20, 2000];
  assert.deepEqual(attempts.map((n) => backOff(n, 0)), [125, 250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
  assert.deepEqual(attempts.map((n) => backOff(n, 1)), [250, 500, 1000, 2000, 4000, 8000, 10000, 10000, 10000]);
});

test("of many panels the last are kept, and none of them is half of what is shown", () => {
  const seen = album();
  for (let at = 0; at <= 1000; at++) seen.add(at, { caption: `at ${at}`, clients: "C1" });
  assert.equal(seen.at(0), undefined);
  assert.deepEqual(seen.at(1000), { caption: "at 1000", clients: "C1" });
  seen.add(1001, { caption: "at 1001" }, 1000);
  assert.deepEqual(seen.at(1001), { caption: "at 1001", clients: "C1" });
  seen.add(1002, { caption: "at 1002" }, 0);
  assert.equal(seen.at(1002), undefined);
});
