import assert from "node:assert/strict";
import test from "node:test";

import { meant } from "./people.js";

test("somebody is found by parts of a name, in any order and in either case", () => {
  for (const words of ["", "quiet", "OTTER", "ot qui", "  otter  ", "c2"]) assert.ok(meant("Quiet Otter C2", words), words);
  assert.ok(meant("安静的水獭", "水獭"));
});

test("somebody else is not", () => {
  assert.ok(!meant("Quiet Otter", "otters"));
  assert.ok(!meant("Quiet Otter", "quiet lion"));
});
