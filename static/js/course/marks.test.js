import assert from "node:assert/strict";
import test from "node:test";

import { markLessons } from "./marks.js";

/** An item of the list of lessons, with the challenges of its lesson. @param {string} lesson @param {string[]} challenges */
function item(lesson, challenges) {
  const sign = { hidden: true, toggleAttribute: (/** @type {string} */ _, /** @type {boolean} */ on) => void (sign.hidden = on) };
  const text = { textContent: "" };
  const mark = { hidden: true, querySelector: (/** @type {string} */ part) => (part === "[data-when]" ? sign : text) };
  const parts = challenges.map((challenge) => ({ dataset: { challenge }, querySelector: () => null }));
  return { dataset: { lesson, challenges: challenges.join(" ") }, toggleAttribute() {}, querySelector: () => mark, querySelectorAll: () => parts, sign, text };
}

test("a lesson has the sign for what is done once all of its challenges are solved", () => {
  const words = { done: "read", solved: "{solved} of {challenges} solved", "solved-one": "solved", "solved-by": "solved", "solved-in": "{n} actions" };
  const kept = { of: (/** @type {string} */ _, /** @type {string} */ lesson) => ({ done: false, challenges: { race: { break: { actions: 8 } }, lease: { break: { actions: 4 }, mend: { actions: 0 } } }[lesson] ?? {} }) };
  const [race, lease, watchdog] = [item("race", ["break", "mend"]), item("lease", ["break", "mend"]), item("watchdog", ["mend"])];
  const sum = markLessons(/** @type {any} */ ([race, lease, watchdog]), "redis-lock", /** @type {any} */ (kept), words);
  assert.deepEqual([race.sign.hidden, lease.sign.hidden, watchdog.sign.hidden], [true, false, true]);
  assert.deepEqual([race.text.textContent, lease.text.textContent, watchdog.text.textContent], ["1 of 2 solved", "2 of 2 solved", ""]);
  assert.deepEqual(sum, { done: 0, lessons: 3, solved: 3, challenges: 5 });
});
