import assert from "node:assert/strict";
import test from "node:test";

import { WHOLE, around, further } from "./visible-rows.js";

const none = { from: 0, to: 0 };

test("a short list is in the page as a whole, also when it has grown", () => {
  assert.deepEqual(around(none, 0, 12, WHOLE), { from: 0, to: 12 });
  assert.deepEqual(around({ from: 0, to: 12 }, 16, 16, WHOLE), { from: 0, to: 16 });
  assert.deepEqual(around(none, 2000, 2000, Infinity), { from: 0, to: 2000 });
});

test("a long list has rows on both sides of the place, as far as there are any", () => {
  assert.deepEqual(around(none, 2500, 5000, WHOLE), { from: 2400, to: 2550 });
  assert.deepEqual(around(none, 0, 5000, WHOLE), { from: 0, to: 50 });
  assert.deepEqual(around(none, 5000, 5000, WHOLE), { from: 4900, to: 5000 });
});

test("the rows stay while the place is well among them, and never exceed a short list", () => {
  const rows = { from: 2400, to: 2550 };
  for (const at of [2420, 2500, 2530]) assert.deepEqual(around(rows, at, 5000, WHOLE), rows);
  for (const at of [2419, 2531, 0, 5000]) assert.notDeepEqual(around(rows, at, 5000, WHOLE), rows);
  assert.deepEqual(around({ from: 4600, to: 5000 }, 5000, 5000, WHOLE), { from: 4600, to: 5000 }, "as the server has sent them");
  assert.deepEqual(around({ from: 4600, to: 5000 }, 5004, 5004, WHOLE), { from: 4904, to: 5004 }, "the run has gone on");
  assert.deepEqual(around({ from: 0, to: 5000 }, 5000, 5000, WHOLE), { from: 4900, to: 5000 }, "all of them were printed");
  assert.deepEqual(around({ from: 700, to: 800 }, 450, 450, WHOLE), { from: 350, to: 450 }, "other rows are listed now");
});

test("scrolling adds rows on one side and removes rows on the other", () => {
  assert.deepEqual(further({ from: 2400, to: 2550 }, "first", 5000), { from: 2300, to: 2550 });
  assert.deepEqual(further({ from: 2200, to: 2550 }, "first", 5000), { from: 2100, to: 2500 });
  assert.deepEqual(further({ from: 30, to: 400 }, "first", 5000), { from: 0, to: 400 });
  assert.deepEqual(further({ from: 2400, to: 2550 }, "last", 5000), { from: 2400, to: 2650 });
  assert.deepEqual(further({ from: 4500, to: 4900 }, "last", 5000), { from: 4600, to: 5000 });
});
