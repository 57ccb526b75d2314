import assert from "node:assert/strict";
import test from "node:test";

import { browser } from "../lib/globals.testdata.js";
import { VERSION } from "../run/socket.js";

/** An element of a page without a browser. */
class Part {
  hidden = false;
  disabled = false;
  open = false;
  textContent = "";
  value = "";
  title = "";
  className = "";
  isConnected = true;
  /** @type {Record<string, string>} */
  dataset = {};
  /** @type {Map<string, string>} */
  attributes = new Map();
  classList = { toggle() {} };
  /** What a selector finds in it. @type {Record<string, Part[]>} */
  parts = {};

  /** @param {Partial<Part>} [has] */
  constructor(has = {}) {
    Object.assign(this, has);
  }
  /** @param {string} name */
  getAttribute = (name) => this.attributes.get(name) ?? null;
  /** @param {string} name */
  hasAttribute = (name) => this.attributes.has(name);
  /** @param {string} name @param {string} value */
  setAttribute = (name, value) => void this.attributes.set(name, value);
  /** @param {string} name @param {boolean} on */
  toggleAttribute = (name, on) => void (on ? this.attributes.set(name, "") : this.attributes.delete(name));
  /** @param {string} selector */
  querySelectorAll = (selector) => this.parts[selector] ?? [];
  /** @param {string} selector */
  querySelector = (selector) => this.parts[selector]?.[0] ?? null;
  append() {}
  remove() {}
}

/** A form, whose fields are those of the pressed button. */
class Form extends Part {}

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
/** Whom the page has asked to tell of something. @type {Record<string, (event: any) => void>} */
const hears = {};
/** @type {any} */
let socket;

const globals = {
  document: {
    visibilityState: "visible",
    activeElement: null,
    body: new Part(),
    documentElement: new Part(),
    getElementById: (/** @type {string} */ id) => byId[id] ?? null,
    querySelectorAll: () => [],
    querySelector: () => null,
    createElement: () => new Part(),
    addEventListener: (/** @type {string} */ kind, /** @type {(event: any) => void} */ hear) => (hears[kind] = hear),
  },
  location: { protocol: "http:", host: "class.test" },
  addEventListener() {},
  HTMLElement: Part,
  HTMLFormElement: Form,
  HTMLAnchorElement: class {},
  FormData: class {
    /** @param {Form} form @param {Part} button */
    constructor(form, button) {
      this.fields = [["verb", form.dataset.verb], ["choice", button.value]];
    }
    [Symbol.iterator]() {
      return this.fields[Symbol.iterator]();
    }
  },
  WebSocket: class {
    static OPEN = 1;
    readyState = 1;
    /** @type {any[]} */
    sent = [];
    constructor() {
      socket = this;
    }
    /** @param {string} text */
    send(text) {
      this.sent.push(JSON.parse(text));
    }
  },
  setTimeout: () => 0, // no test waits
  clearTimeout() {},
};

// The page begins as its script loads. Tests of other scripts, in the same process, have no such page.
{
  /** @type {(() => void)[]} */
  const back = [];
  browser(/** @type {any} */ ({ after: (/** @type {() => void} */ act) => back.push(act) }), globals);
  await import("./phone.js");
  for (const act of back) act();
}

/** Has the server tell the page something. @param {object} message */
const tells = (message) => socket.onmessage({ data: JSON.stringify(message) });

const ann = { type: "seat", seat: 1, name: "1 · Quiet Otter", lane: "C2", network: false, driving: false, vote: -1, own: "", lost: "", state: "", may: "vote", why: "" };

/** Presses an answer of the poll, and returns the id under which the page has asked. @param {number} choice */
function votes(choice) {
  const form = new Form({ dataset: { verb: "vote" }, attributes: new Map([["action", "/r/482913/do"]]) });
  hears.submit({ target: form, submitter: choices[choice], preventDefault() {} });
  return socket.sent.at(-1).id;
}

/** Returns which answers are marked as the reader's own. */
const pressed = () => choices.map((choice) => choice.getAttribute("aria-pressed") === "true");

/** Tells of a run with so many actions, of which the wall shows those up to a position. @param {number} actions @param {number} at */
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
