import assert from "node:assert/strict";
import { test } from "node:test";
import { showControls } from "./controls.js";

test("a control is there for those who may use its verb", () => {
  const controls = ["vote", "hand", "reveal"].map((verb) => ({ dataset: { verb }, hidden: verb === "vote" }));
  const panel = /** @type {ParentNode} */ (/** @type {unknown} */ ({ querySelectorAll: () => controls }));
  const shown = () => controls.filter((control) => !control.hidden).map((control) => control.dataset.verb);
  showControls(panel, "act vote");
  assert.deepEqual(shown(), ["vote"]);
  showControls(panel, "hand");
  assert.deepEqual(shown(), ["hand"]);
  showControls(panel, "");
  assert.deepEqual(shown(), []);
});
