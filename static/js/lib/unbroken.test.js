import assert from "node:assert/strict";
import test from "node:test";

import { unbroken } from "./unbroken.js";

test("no line ends between a number and its unit", () => {
  assert.equal(unbroken("2 ticks of 12 s, 1 server, 2 KB"), "2 ticks of 12\u00a0s, 1 server, 2\u00a0KB");
  assert.equal(unbroken("过了 12 秒，不到 1 毫秒"), "过了 12\u00a0秒，不到 1\u00a0毫秒");
});
