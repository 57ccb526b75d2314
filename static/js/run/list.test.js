import assert from "node:assert/strict";
import { test } from "node:test";
import { next } from "./list.js";

test("keys move within the list, which has ends", () => {
  assert.deepEqual(["ArrowUp", "ArrowDown", "Home", "End"].map((key) => next(key, 3, 9)), [2, 4, 0, 8]);
  assert.deepEqual(["ArrowUp", "Home"].map((key) => next(key, 0, 9)), [0, 0]);
  assert.deepEqual(["ArrowDown", "End"].map((key) => next(key, 8, 9)), [8, 8]);
});

test("every other key stays with the page", () => {
  assert.deepEqual(["ArrowLeft", "ArrowRight", "PageDown", " ", "Enter", "Tab", "x"].filter((key) => next(key, 3, 9) !== undefined), []);
});
