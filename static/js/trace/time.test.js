import assert from "node:assert/strict";
import { test } from "node:test";
import { startText, timeText } from "./time.js";

test("a run tells its own seconds, or the time of its wall clock as the server does", () => {
  assert.equal(timeText(1_000_000), "1000");
  assert.equal(timeText(1_012_500), "1012.5");
  const began = Date.UTC(2026, 10, 27, 23, 59, 59, 133); // engine/label_test.go has the same run
  assert.equal(timeText(1_000_000, began), "23:59:59.133");
  assert.equal(timeText(1_000_852, began), "23:59:59.985");
  assert.equal(timeText(1_001_652, began), "11-28 00:00:00.785");
  assert.equal(startText(began), "2026-11-27 23:59:59.133 UTC");
});
