import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { VERSION, backOff, follow } from "./live.js";

/** @param {string} name  a sample of web/PROTOCOL.md, as the server sends it */
const sample = (name) => JSON.parse(readFileSync(new URL(`../../web/testdata/protocol/${name}.json`, import.meta.url), "utf8"));

test("the log follows the messages of the protocol", () => {
  const hello = sample("hello");
  assert.equal(hello.version, VERSION);
  const begun = follow({ actions: 7, events: [] }, hello);
  assert.equal(begun.actions, 1);
  assert.deepEqual(begun.events, hello.events);

  const events = sample("events");
  const stepped = follow(begun, events);
  assert.equal(stepped.actions, 2);
  assert.deepEqual(stepped.events.map((e) => e.seq), [...stepped.events.keys()].map((i) => i + 1));
  assert.equal(stepped.events.length, hello.events.length + events.events.length);
  assert.equal(begun.events.length, hello.events.length, "the log before is left as it was");

  assert.deepEqual(follow(stepped, sample("rewind")), begun);
});

test("an error changes nothing", () => {
  const log = follow({ actions: 0, events: [] }, sample("hello"));
  assert.equal(follow(log, sample("error-stale")), log);
  assert.equal(follow(log, sample("error-program")), log);
});

test("attempts to connect again are ever further apart, up to a bound, and jittered", () => {
  const attempts = [0, 1, 2, 3, 4, 5, 6, 20, 2000];
  assert.deepEqual(attempts.map((n) => backOff(n, 0)), [125, 250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
  assert.deepEqual(attempts.map((n) => backOff(n, 1)), [250, 500, 1000, 2000, 4000, 8000, 10000, 10000, 10000]);
});
