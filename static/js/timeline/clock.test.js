import assert from "node:assert/strict";
import { test } from "node:test";

import { clock } from "./clock.js";

/** A clock whose frames the test draws, every event of which takes 100 ms.
 * @param {{steady?: boolean}} [options]
 */
function wound({ steady = false } = {}) {
  /** @type {((now: number) => void) | null} */
  let next = null;
  let now = 0;
  /** @type {number[]} */
  const seen = [];
  /** @type {number[]} */
  const arrived = [];
  const time = clock({
    lasts: () => 100,
    onMove: (position) => seen.push(Math.round(position * 100) / 100),
    onArrive: (seq) => arrived.push(seq),
    steady: () => steady,
    ask(frame) {
      next = frame;
      return 1;
    },
    cancel: () => (next = null),
  });
  /** Draws frames. @param {number} ms @param {number} [step] */
  const pass = (ms, step = 25) => {
    for (let spent = 0; spent <= ms && next; spent += step) {
      const frame = next;
      next = null;
      frame(now);
      now += step;
    }
  };
  return { time, seen, arrived, pass };
}

test("a position moves through the events of its way, and arrives once", () => {
  const { time, seen, arrived, pass } = wound();
  time.glide(2);
  pass(1000);
  assert.deepEqual(seen, [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]);
  assert.deepEqual(arrived, [2]);
  assert.equal(time.moving(), false);
});

test("a new target ends the motion at once and begins the next", () => {
  const { time, seen, arrived, pass } = wound();
  time.glide(1);
  pass(50);
  time.glide(2);
  assert.deepEqual(arrived, [1]);
  pass(50);
  assert.deepEqual(seen, [0, 0.25, 0.5, 1, 1, 1.25, 1.5]);
  time.jump(7);
  assert.equal(time.position, 7);
  pass(1000);
  assert.deepEqual(arrived, [1], "who jumps is there, and nothing follows");
});

test("twenty targets at once end at the last, each in its turn", () => {
  const { time, arrived, pass } = wound();
  for (let n = 1; n <= 20; n++) time.glide(n);
  pass(1000);
  assert.deepEqual(arrived, Array.from({ length: 20 }, (_, n) => n + 1));
});

test("twice the speed takes half the time, from the next frame on", () => {
  const { time, seen, pass } = wound();
  time.glide(1);
  pass(25);
  time.speed(2);
  pass(1000);
  assert.deepEqual(seen, [0, 0.25, 0.75, 1]);
});

test("the way back is short, however long it is", () => {
  const { time, seen, pass } = wound();
  time.jump(10);
  time.glide(0);
  pass(1000);
  assert.deepEqual(seen, [10, 8.33, 6.67, 5, 3.33, 1.67, 0]);
});

test("without movement the marks appear one after another, in the same time", () => {
  const { time, seen, arrived, pass } = wound({ steady: true });
  time.glide(3);
  pass(250);
  assert.deepEqual([...seen], [1, 2, 3]);
  assert.deepEqual(arrived, []);
  pass(100);
  assert.deepEqual(arrived, [3]);
  assert.equal(time.glide(2), false, "there is no movement back");
});
