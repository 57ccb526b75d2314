import assert from "node:assert/strict";
import test from "node:test";

import { find } from "./search.js";

/** @param {number} seq @param {string} lane @param {string} en @param {string} zh */
const event = (seq, lane, en, zh) => ({ seq, action: seq, time: 1_012_500, lane, kind: "send", sentence: { en, zh } });
const log = [event(1, "C1", "C1 sends SETNX lock.foo.", "C1 发出 SETNX lock.foo。"), event(17, "redis", "Redis executes #1.", "Redis 执行 #1。")];

test("every text of its row finds an event, in the reader's language", () => {
  const seqs = (/** @type {string} */ text, /** @type {"en" | "zh"} */ lang = "en") => find(log, text, lang).map((e) => e.seq);
  assert.deepEqual(seqs("setnx LOCK"), [1]);
  assert.deepEqual(seqs("执行", "zh"), [17]);
  assert.deepEqual(seqs("执行"), []);
  assert.deepEqual(seqs("redis"), [17]);
  assert.deepEqual(seqs("17"), [17]);
  assert.deepEqual(seqs("1012.5"), [1, 17]);
});
