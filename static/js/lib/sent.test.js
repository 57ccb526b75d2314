import assert from "node:assert/strict";
import test from "node:test";

import { stageOf } from "./sent.js";

test("a press is being sent after 300 ms, and waits for a new connection after 3 s", () => {
  assert.deepEqual([0, 299, 300, 2_999, 3_000, 60_000].map((ms) => stageOf(ms)), ["", "", "sending", "sending", "reconnecting", "reconnecting"]);
  assert.equal(stageOf(60_000, false), "sending"); // it cannot connect again before it was connected
});
