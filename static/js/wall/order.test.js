import assert from "node:assert/strict";
import { test } from "node:test";

import { arranged, counted } from "./order.js";

/** @typedef {import("./order.js").Facts} Facts */

/** @type {Facts[]} */
const runs = [
  { seat: 1, name: "Quiet Otter", state: "safe", actions: 14, solved: true },
  { seat: 2, name: "Brave Lynx", state: "new", actions: 0, solved: false },
  { seat: 3, name: "Élégant Renard", state: "broken", actions: 9, solved: false },
  { seat: 4, name: "Calm Koi", state: "stuck", actions: 14, solved: false, claims: 2 },
  { seat: 5, name: "Brave Lynx", state: "broken", actions: 20, solved: true },
];

/** @param {string} by @param {string} lang @param {Facts[]} of */
const seats = (by, lang = "en", of = runs) => arranged(of, by, lang, (facts) => facts).map((facts) => facts.seat);

test("broken runs come first, then stuck ones; equals stand as they joined", () => {
  assert.deepEqual(seats("state"), [3, 5, 4, 1, 2]);
});

test("names are sorted as their readers look them up", () => {
  assert.deepEqual(seats("name"), [2, 5, 4, 3, 1]);
  const named = ["水獭", "熊猫", "白鹭"].map((name, i) => ({ ...runs[0], seat: i + 1, name }));
  assert.deepEqual(seats("name", "zh", named), [3, 1, 2], "bái, shuǐ, xióng");
});

test("the most actions come first", () => {
  assert.deepEqual(seats("actions"), [5, 1, 4, 3, 2]);
});

test("a filter shows its tiles", () => {
  const shown = (/** @type {string} */ filter) => runs.filter((facts) => counted(facts, filter)).map((facts) => facts.seat);
  assert.deepEqual([shown("all"), shown("broken"), shown("solved")], [[1, 2, 3, 4, 5], [3, 5], [1, 5]]);
  assert.deepEqual([shown("claimed"), shown("stuck")], [[4], [4]], "a wrong claim counts, whatever the run is now");
});
