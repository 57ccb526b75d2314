import assert from "node:assert/strict";
import test from "node:test";

import { brief } from "./lookahead.js";

test("a button names an action without its options", () => {
  assert.equal(brief("spawn C1 del-setnx timeout=10s"), "spawn C1");
  assert.equal(brief("tick 12s"), "tick 12s");
  assert.equal(brief("step C1"), "step C1");
});
