import assert from "node:assert/strict";
import { test } from "node:test";
import { hearTimer, minutes, showTimer } from "./timer.js";

test("seconds read as minutes", () => {
  assert.deepEqual([0, 9, 60, 125, 3600].map(minutes), ["0:00", "0:09", "1:00", "2:05", "60:00"]);
});

test("a timer counts by a clock that nobody sets, and says once that the time is up", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 5_000_000;
  t.mock.method(performance, "now", () => now);
  /** @type {string[]} */
  const said = [];
  const voice = { className: "", setAttribute() {}, set textContent(/** @type {string} */ text) { said.push(text); } };
  const place = { dataset: { up: "Time is up" }, textContent: "", over: false, toggleAttribute(/** @type {string} */ _, /** @type {boolean} */ on) { this.over = on; } };
  Object.assign(globalThis, { document: { createElement: () => voice, querySelector: () => ({ append() {} }), querySelectorAll: () => [place] } });
  const passes = (/** @type {number} */ ms) => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  hearTimer(60_000);
  assert.equal(place.textContent, "1:00");
  passes(1001);
  assert.equal(place.textContent, "0:59");
  hearTimer(118_500); // one more minute
  assert.equal(place.textContent, "1:59");
  place.textContent = ""; // a new panel
  showTimer();
  assert.equal(place.textContent, "1:59");
  for (let second = 0; second < 118; second++) passes(1000);
  assert.deepEqual([place.textContent, place.over, said.filter(Boolean)], ["0:01", false, []]);
  passes(1000);
  assert.deepEqual([place.textContent, place.over, said.filter(Boolean)], ["Time is up", true, ["Time is up"]]);
  showTimer();
  hearTimer(0); // the server tells it again
  hearTimer(300); // and what it said before was late
  passes(301);
  assert.deepEqual(said.filter(Boolean), ["Time is up"]);
  hearTimer(null);
  assert.deepEqual([place.textContent, place.over], ["", false]);
});
