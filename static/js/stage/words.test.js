import assert from "node:assert/strict";
import { test } from "node:test";

import { wordsIn } from "./words.js";

const names = { clients: ["C1", "C2", "C12"], verbs: ["DEL", "SETNX", "GET"], keys: ["lock.foo"], values: ["1011", "1023"], times: ["1012"] };

/** @param {string} text */
const found = (text) => wordsIn(text, names).map(({ from, to, ref }) => `${text.slice(from, to)} → ${ref}`);

test("a command is found with its client, in both languages", () => {
  assert.deepEqual(found("Redis executed C2's DEL lock.foo (#8), which deleted C1’s 1023."), ["C2's DEL → C2 DEL", "lock.foo → key lock.foo", "#8 → #8", "C1 → C1", "1023 → =1023"]);
  assert.deepEqual(found("Redis 执行了 C2 的 DEL lock.foo（#8），删掉了 C1 写入的 1023。"), ["C2 的 DEL → C2 DEL", "lock.foo → key lock.foo", "#8 → #8", "C1 → C1", "1023 → =1023"]);
});

test("a client's lock is the value that it wrote", () => {
  assert.deepEqual(found("it removed C1's old lock"), ["C1's old lock → C1 key"]);
  assert.deepEqual(found("它删掉的是 C1 的旧锁，不是 C2 的锁"), ["C1 的旧锁 → C1 key", "C2 的锁 → C2 key"]);
});

test("a client, a value or a time is found where it comes first, a command each time", () => {
  assert.deepEqual(found("C1 waits, C1's DEL waits, C1's DEL. 1012: 1012."), ["C1 → C1", "C1's DEL → C1 DEL", "C1's DEL → C1 DEL", "1012 → time 1012"]);
});

test("a part of a word is none", () => {
  assert.deepEqual(found("C12 and C123, 10110, 1011.5, lock.foo2, GETSET, &#8"), ["C12 → C12"]);
  assert.deepEqual(wordsIn("anything", { clients: [], verbs: [], keys: [], values: [], times: [] }), []);
});
