import assert from "node:assert/strict";
import test from "node:test";

import { keysAt } from "./keys.js";

const stored = { value: "1", writer: "CLI", order: 1 };
const log = /** @type {import("../trace/state.js").Event[]} */ (
  [
    { lane: "CLI", kind: "send" },
    { lane: "redis1", kind: "deliver", changes: [{ key: "mykey", new: stored }] },
    { lane: "redis2", kind: "deliver", changes: [{ key: "elsewhere", new: stored }] },
    { lane: "redis1", kind: "deliver", changes: [{ key: "lock.foo", new: stored }, { key: "mykey", old: stored }] },
  ].map((event, i) => ({ seq: i + 1, action: 1, time: 0, sentence: { en: "", zh: "" }, ...event }))
);

test("the keys that exist are those of the first node at the playhead", () => {
  assert.deepEqual([0, 1, 2, 3, 4].map((playhead) => keysAt(log, playhead)), [[], [], ["mykey"], ["mykey"], ["lock.foo"]]);
});
