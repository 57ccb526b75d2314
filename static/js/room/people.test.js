import assert from "node:assert/strict";
import test from "node:test";

import { meant } from "./people.js";

test("parts of a name find somebody, in any order and in either case", () => {
  for (const words of ["", "quiet", "OTTER", "ot qui", "  otter  ", "c2"]) assert.ok(meant("Quiet Otter C2", words), words);
  assert.ok(meant("安静的水獭", "水獭"));
});

test("they do not find somebody else", () => {
  assert.ok(!meant("Quiet Otter", "otters"));
  assert.ok(!meant("Quiet Otter", "quiet lion"));
});
