import assert from "node:assert/strict";
import test from "node:test";

import { NOTHING, follow } from "../trace/log.js";
import { backfill } from "./backfill.js";

/** @param {number} n */
const events = (n) => Array.from({ length: n }, (_, i) => ({ seq: i + 1, action: i + 1, time: 0, kind: "note", sentence: { en: "x", zh: "x" } }));
const all = { epoch: "e", actions: 9, total: 9, header: "", after: 0, lines: Array(9).fill("note x"), since: 0, events: events(9) };

/** A log with a part missing, its backfill, and the requests so far. @param {(n: number, asked: URLSearchParams) => object | undefined} answer  to the nth question */
function begun(answer) {
  let log = follow(NOTHING, { ...all, events: events(2) });
  /** @type {string[]} */
  const asked = [];
  globalThis.fetch = /** @type {typeof fetch} */ (async (address) => {
    asked.push(String(address));
    const json = answer(asked.length, new URLSearchParams(String(address).split("?")[1]));
    if (!json) throw new TypeError("there is no network");
    return { ok: !("error" in json), json: async () => json };
  });
  const missing = backfill({ address: () => "/t/aaaaaaaaaa/events?lang=en", log: () => log, take: (stretch) => (log = follow(log, stretch)) });
  return { missing, asked, log: () => log };
}

test("the missing part is requested stretch after stretch, once for all who wait for it", async () => {
  const { missing, asked, log } = begun((_, query) => {
    const since = Number(query.get("since"));
    return { ...all, header: undefined, after: 9, lines: [], since, events: events(9).slice(since, since + 3) };
  });
  await Promise.all([missing(), missing()]);
  await missing();
  assert.deepEqual(asked.map((address) => address.split("&").slice(1).join("&")), ["epoch=e&after=9&since=2", "epoch=e&after=9&since=5", "epoch=e&after=9&since=8"]);
  assert.deepEqual(log().events, events(9));
});

test("a server that cannot be reached, refuses, or brings nothing is asked again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { missing, asked, log } = begun((n) => (n === 1 ? undefined : n === 2 ? { error: 429 } : n === 3 ? { ...all, lines: [], events: [] } : all));
  let done = false;
  const waiting = missing().then(() => (done = true));
  for (let n = 1; n <= 4; n++) {
    for (let i = 0; i < 9; i++) await null;
    assert.equal(asked.length, n);
    if (n < 4) t.mock.timers.tick(10_000);
  }
  await waiting;
  assert.ok(done);
  assert.equal(log().events.length, 9);
});
