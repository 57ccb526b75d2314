import assert from "node:assert/strict";
import test from "node:test";

import { backward, breaksOf, forward, nextBreak, placeOf } from "./cursor.js";

test("a driver at the end follows it", () => {
  assert.deepEqual(placeOf(-1, 16), { at: 16, tip: 16, end: true });
  assert.deepEqual(placeOf(16, 16), { at: 16, tip: 16, end: true });
  assert.deepEqual(placeOf(10, 16), { at: 10, tip: 16, end: false });
});

test("one step before the end leads to the end, and follows it", () => {
  assert.equal(forward(placeOf(10, 16)), 11);
  assert.equal(forward(placeOf(15, 16)), -1);
});

test("nothing lies before the beginning", () => {
  assert.equal(backward(placeOf(-1, 16)), 15);
  assert.equal(backward(placeOf(0, 16)), 0);
  assert.equal(backward(placeOf(-1, 0)), 0);
});

test("the next violation has not begun yet", () => {
  const breaks = breaksOf("13 14 30");
  assert.equal(nextBreak(placeOf(0, 30), breaks), 13);
  assert.equal(nextBreak(placeOf(13, 30), breaks), 14);
  assert.equal(nextBreak(placeOf(-1, 30), breaks), -1);
  assert.deepEqual(breaksOf(""), []);
});
