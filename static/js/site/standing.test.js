import assert from "node:assert/strict";
import { test } from "node:test";
import { progress } from "../course/progress.js";
import { standing } from "./standing.js";

/** A page that has these elements, each with its data. @param {Record<string, Record<string, string>>} elements */
const page = (elements) => /** @type {Document} */ (/** @type {unknown} */ ({ getElementById: (/** @type {string} */ id) => (elements[id] ? { dataset: elements[id] } : null) }));

const box = { course: "redis-lock", lesson: "race" };
const key = "winner=b second=a";

/** @param {Record<string, string>} guide @param {Record<string, string>} guesses */
function lesson(guide, guesses = {}) {
  const kept = progress(undefined);
  for (const [moment, answer] of Object.entries(guesses)) kept.guessed("redis-lock", "race", moment, answer);
  return standing(page({ guide, "task-box": box }), kept);
}

test("a page without a task has no standing", () => {
  assert.equal(standing(page({}), progress(undefined)), undefined);
});

test("a lesson counts its moments, and is solved at its end with an answer to each prediction", () => {
  assert.deepEqual(lesson({ reached: "2", moments: "6" }, { winner: "b" }), { done: 2, of: 6 });
  const end = { reached: "6", moments: "6", over: "", key };
  assert.deepEqual(lesson(end, { winner: "b" }), { done: 6, of: 6 });
  assert.deepEqual(lesson(end, { winner: "b", second: "not-sure" }), { done: 6, of: 6, solved: { score: 0.5, actions: 0, par: 0 } });
  assert.deepEqual(lesson(end, { winner: "b", second: "a" }), { done: 6, of: 6, solved: { score: 1, actions: 0, par: 0 } });
  assert.deepEqual(lesson({ ...end, own: "" }, { winner: "b", second: "a" }), { done: 6, of: 6 }, "the reader has left its path");
});

test("a lesson without predictions is solved at its end", () => {
  assert.deepEqual(lesson({ reached: "3", moments: "3", over: "", key: "" })?.solved, { score: 1, actions: 0, par: 0 });
});

test("a challenge is solved when the page says so", () => {
  assert.deepEqual(standing(page({ challenge: { actions: "0" } }), progress(undefined)), { done: 0, of: 1 });
  assert.deepEqual(standing(page({ challenge: { solved: "", actions: "11", par: "9" } }), progress(undefined)), { done: 1, of: 1, solved: { score: 1, actions: 11, par: 9 } });
  assert.deepEqual(standing(page({ mend: { solved: "" } }), progress(undefined)), { done: 1, of: 1, solved: { score: 1, actions: 0, par: 0 } });
});
