import assert from "node:assert/strict";
import test from "node:test";

import { browser } from "../lib/globals.testdata.js";
import { Form, Part, page } from "../lib/page.testdata.js";
import { VERSION } from "../run/socket.js";

const begin = JSON.stringify({ version: VERSION, lang: "en", base: "", path: "/r/482913", run: "/t/aaaaaaaaaa", at: 14 });
/** @type {Map<string, Part>} */
const parts = new Map([
  ["room-data", new Part({ textContent: begin })],
  ["remote", new Part({ dataset: { may: "act cursor" } })],
]);
/** @param {string} id @returns {Part} */
const part = (id) => {
  if (!parts.has(id)) parts.set(id, new Part());
  return /** @type {Part} */ (parts.get(id));
};
const { globals, hears, sent, tells, begins } = page(part);
await begins(() => import("./remote.js"));

/** Presses a button. @param {string} id */
const presses = (id) => hears.submit({ target: new Form(), submitter: Object.assign(part(id), { id }), preventDefault() {} });
/** What the remote has asked of the room or the run, without looks. */
const asked = () => sent().filter((/** @type {any} */ { type }) => type !== "look").map((/** @type {any} */ { type, at, with: fields }) => (type === "room" ? `${fields.verb} ${fields.at}` : `${type} ${at}`));
/** @param {number} at  where the driver looks */
const room = (at) => ({ type: "room", run: "/t/aaaaaaaaaa", at, over: "", panels: {} });
/** Answers the first request of the room that has no answer. @param {number} nth */
const done = (nth) => tells({ type: "done", id: sent().filter((/** @type {any} */ { type }) => type === "room")[nth].id });

test("a press waits for the run, and the echo of an earlier press takes back none", (t) => {
  browser(t, globals);
  presses("back");
  assert.deepEqual(asked(), [], "nobody knows yet how long the run is");
  tells({ type: "hello", version: VERSION, run: "aaaaaaaaaa", epoch: "e", actions: 15, since: 0, panels: {} });
  assert.deepEqual(asked(), ["cursor 13"]);
  presses("back");
  tells(room(13)); // of the first press
  done(0);
  assert.equal(part("place").textContent, "12 / 15");
  presses("back");
  assert.deepEqual(asked(), ["cursor 13", "cursor 12", "cursor 11"]);
  for (const [i, at] of [12, 11].entries()) {
    tells(room(at));
    done(i + 1);
  }
  assert.equal(part("place").textContent, "11 / 15");
  tells(room(4)); // another driver
  assert.equal(part("place").textContent, "4 / 15");
});
