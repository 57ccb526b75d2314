import assert from "node:assert/strict";
import { test } from "node:test";
import { nextViolation } from "./violations.js";

const events = ["spawn", "violation", "cleared", "violation", "violation"].map((kind, i) => ({
  seq: i + 1, action: [1, 2, 3, 5, 5][i], time: 0, kind, sentence: { en: "", zh: "" },
}));

test("the next violation is one that begins after the position", () => {
  const found = [0, 1, 2, 4, 5].map((position) => nextViolation(events, position)?.seq);
  assert.deepEqual(found, [2, 2, 4, 4, undefined]);
});
