import assert from "node:assert/strict";
import test from "node:test";

import { moments } from "./moments.js";

/** Where events stand, each written as KIND@ACTION. @param {string} line */
function columns(line) {
  const events = /** @type {any[]} */ (line.split(" ").map((word) => ({ kind: word.split("@")[0], action: Number(word.split("@")[1]) })));
  return moments(events).moments.map(({ event, at }) => `${event.kind} ${at}`).join(", ");
}

test("a violation stands in the column of the event that brought it about", () => {
  assert.equal(columns("spawn@1 crash@2 violation@2 cleared@2"), "spawn 0, crash 1, violation 1, cleared 1");
  assert.equal(columns("spawn@1 drop@2 lost@2 violation@2"), "spawn 0, drop 1, lost 1.5, violation 1.5");
});
