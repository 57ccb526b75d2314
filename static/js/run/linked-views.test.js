import assert from "node:assert/strict";
import test from "node:test";

import { browser } from "../lib/globals.testdata.js";
import { linkViews } from "./linked-views.js";

/** The box of a picture, and in it the pane that scrolls. */
class Box extends EventTarget {
  pane = Object.assign(new EventTarget(), { scrollLeft: 0, scrollTop: 0, clientWidth: 800 });
  picture = { zoom: () => 1, zoomTo() {}, fit: () => 1, long: () => 2000, atLeast() {} };

  /** @param {"x" | "y"} axis  of time */
  constructor(axis) {
    super();
    this.axis = axis;
  }
  /** @param {string} selector */
  querySelector(selector) {
    return selector === ".picture" ? this.pane : {};
  }
  getAttribute() {
    return this.axis;
  }

  /** Scrolls the pane, as a browser tells it. @param {Partial<Record<"scrollLeft" | "scrollTop", number>>} to */
  scrolls(to) {
    Object.assign(this.pane, to);
    this.pane.dispatchEvent(new Event("scroll"));
  }
  /** The reader puts a finger on it. */
  touched() {
    this.dispatchEvent(new Event("pointerdown"));
  }
}

/**
 * Returns two linked pictures.
 * @param {import("node:test").TestContext} t
 * @param {("x" | "y")[]} axes
 */
function linked(t, axes) {
  browser(t, { ResizeObserver: class { observe() {} }, requestAnimationFrame() {} });
  const boxes = axes.map((axis) => new Box(axis));
  const [first, second] = boxes.map((box) => ({ box: /** @type {any} */ (box), picture: /** @type {any} */ (box.picture) }));
  return { boxes, views: linkViews(first, second) };
}

test("each of two compared runs scrolls with the one that the reader moves", (t) => {
  const { boxes: [above, below] } = linked(t, ["x", "x"]);
  above.touched();
  above.scrolls({ scrollLeft: 300, scrollTop: 40 });
  assert.deepEqual([below.pane.scrollLeft, below.pane.scrollTop], [300, 0], "lanes stay where they are: only time is common");
  below.touched();
  below.scrolls({ scrollLeft: 120 });
  assert.equal(above.pane.scrollLeft, 120);
});

test("a picture with time downwards leads downwards", (t) => {
  const { boxes: [left, right] } = linked(t, ["y", "y"]);
  right.touched();
  right.scrolls({ scrollLeft: 40, scrollTop: 300 });
  assert.deepEqual([left.pane.scrollLeft, left.pane.scrollTop], [0, 300]);
});

test("a picture that moves by itself leads nowhere", (t) => {
  const { boxes: [above, below], views } = linked(t, ["x", "x"]);
  below.scrolls({ scrollLeft: 300 });
  assert.equal(above.pane.scrollLeft, 0, "nobody has touched either");
  above.touched();
  below.scrolls({ scrollLeft: 310 });
  assert.equal(above.pane.scrollLeft, 0, "the reader moves the other");
  above.touched();
  views.align();
  above.scrolls({ scrollLeft: 50 });
  assert.equal(below.pane.scrollLeft, 310, "it brings its own playhead into view");
});

test("pictures with time in two directions scroll apart", (t) => {
  const { boxes: [above, below] } = linked(t, ["x", "y"]);
  above.touched();
  above.scrolls({ scrollLeft: 300 });
  assert.deepEqual([below.pane.scrollLeft, below.pane.scrollTop], [0, 0]);
});
