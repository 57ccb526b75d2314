import assert from "node:assert/strict";
import test from "node:test";

import { browser } from "../lib/globals.testdata.js";
import { Form, Part, page } from "../lib/page.testdata.js";
import { VERSION } from "../run/socket.js";

/** The page of a participant in a room that shows /t/aaaaaaaaaa. Its poll has two answers. */
const choices = ["0", "1"].map((value) => new Part({ value }));
const question = { ".phase > :not([hidden])": [new Part({ textContent: "First vote" })], h2: [new Part({ textContent: " Who enters? " })] };
const poll = new Part({ dataset: { phase: "first" }, parts: { "button.choice": choices, ...question } });
const begin = JSON.stringify({ version: VERSION, lang: "en", base: "", path: "/r/482913", run: "/t/aaaaaaaaaa", at: -1 });
/** @type {Record<string, Part>} */
const byId = {
  ...Object.fromEntries(["phone", "note", "connection", "me", "rejoin", "driving", "part", "who", "earlier", "ended", "asked"].map((id) => [id, new Part()])),
  "room-data": new Part({ textContent: begin }),
  room: new Part({ parts: { "#poll": [poll] } }),
  poll,
};
const { globals, hears, sent, tells, begins } = page((id) => byId[id] ?? null);
await begins(() => import("./phone.js"));

const ann = { type: "seat", seat: 1, name: "1 · Quiet Otter", lane: "C2", network: false, driving: false, vote: -1, own: "", lost: "", state: "", may: "vote", why: "" };

/** Presses an answer of the poll, and returns the id under which the page has asked. @param {number} choice */
function votes(choice) {
  const form = new Form({ dataset: { verb: "vote" }, attributes: new Map([["action", "/r/482913/do"]]) });
  hears.submit({ target: form, submitter: choices[choice], preventDefault() {} });
  return sent().at(-1).id;
}

/** Returns which answers are marked as the reader's own. */
const pressed = () => choices.map((choice) => choice.getAttribute("aria-pressed") === "true");

/** Tells of a run with that many actions, of which the wall shows those up to a position. @param {number} actions @param {number} at */
function shows(actions, at) {
  tells({ type: "hello", version: VERSION, run: "aaaaaaaaaa", epoch: "e", actions, since: 0, panels: {} });
  tells({ type: "room", run: "/t/aaaaaaaaaa", at, over: "", panels: {} });
}

test("a vote is marked as soon as it is pressed, and no longer once it is refused", (t) => {
  browser(t, globals);
  shows(7, -1);
  tells(ann);
  const id = votes(1);
  assert.deepEqual(pressed(), [false, true], "its reader need not wait for the server");
  tells({ type: "error", id, code: "room", text: "The round is over." });
  assert.deepEqual(pressed(), [false, false]);
  assert.equal(byId.note.textContent, "The round is over.");
});

test("a refused vote leaves the one before", (t) => {
  browser(t, globals);
  shows(7, -1);
  tells({ ...ann, vote: 0 });
  const id = votes(1);
  assert.deepEqual(pressed(), [false, true]);
  tells({ type: "error", id, code: "room", text: "The round is over." });
  assert.deepEqual(pressed(), [true, false]);
});

test("the phone of a spectator shows nothing that the wall does not show yet", (t) => {
  browser(t, globals);
  const spectator = { ...ann, lane: "" };
  tells(spectator);
  /** Whether the page's style hides what comes, and whether the page says so. */
  const behind = () => [byId.phone.hasAttribute("data-earlier"), !byId.earlier.hidden];
  shows(7, 3);
  assert.deepEqual(behind(), [true, true]);
  shows(7, 7);
  assert.deepEqual(behind(), [false, false], "the wall is at the end");
  shows(8, 7);
  assert.deepEqual(behind(), [true, true], "the run went on");
  shows(8, -1);
  assert.deepEqual(behind(), [false, false], "the wall follows the end");
});

test("the phone of a client shows the end, where the client acts", (t) => {
  browser(t, globals);
  tells(ann);
  shows(7, 3);
  assert.equal(byId.phone.hasAttribute("data-earlier"), false);
});

test("a screen reader speaks the question and its phase", (t) => {
  browser(t, globals);
  shows(7, -1);
  assert.equal(byId.asked.textContent, "First vote Who enters?");
});
