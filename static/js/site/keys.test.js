import assert from "node:assert/strict";
import { test } from "node:test";
import { browser } from "../lib/globals.testdata.js";
import { digitOf, isCharacter, keys, names, needs, neighbour, shortcutOf } from "./keys.js";

const plain = { ctrlKey: false, altKey: false, metaKey: false };

test("a key has its name of aria-keyshortcuts", () => {
  const called = Object.fromEntries([" ", "+", "x", "X", "?", "7", "ArrowRight", "PageDown"].map((key) => [key, shortcutOf({ ...plain, key })]));
  assert.deepEqual(called, { " ": "Space", "+": "Plus", x: "X", X: "X", "?": "?", 7: "7", ArrowRight: "ArrowRight", PageDown: "PageDown" });
});

test("a key with Ctrl, Alt or Meta belongs to the browser", () => {
  for (const held of ["ctrlKey", "altKey", "metaKey"]) assert.equal(shortcutOf({ ...plain, key: "r", [held]: true }), "");
});

test("letters, digits and signs can be turned off; Space, arrows and Home cannot", () => {
  const off = ["X", "7", "?", ".", "Plus", "Space", "ArrowUp", "Home", "Escape"].filter(isCharacter);
  assert.deepEqual(off, ["X", "7", "?", ".", "Plus"]);
});

test("a shortcut is one word of the attribute, not a part of one", () => {
  assert.equal(names("Space ArrowRight PageDown", "ArrowRight"), true);
  assert.equal(names("Space ArrowRight PageDown", "S"), false);
  assert.equal(names("", "S"), false);
});

test("a client's digit is the one in its name", () => {
  assert.deepEqual(["C1", "C9", "C10", "C0", "Z1"].map(digitOf), ["1", "9", "", "", ""]);
});

test("choosing stops at the first and at the last client", () => {
  const clients = ["C3", "C1", "C2"];
  assert.equal(neighbour(clients, "C3", 1), "C1");
  assert.equal(neighbour(clients, "C3", -1), "C3");
  assert.equal(neighbour(clients, "C2", 1), "C2");
  assert.equal(neighbour(clients, "gone", 1), "C3");
});

test("a focused element keeps the keys that it needs", () => {
  const kept = ["X", "Space", "Enter", "ArrowRight", "Home"];
  /** @param {string} tag @param {string} [type] @param {string} [role] */
  const keeps = (tag, type = "", role = "") => kept.filter((key) => needs({ tag, type, role, editable: false }, key));
  assert.deepEqual(keeps("BODY"), []);
  assert.deepEqual(keeps("INPUT", "text"), kept);
  assert.deepEqual(keeps("TEXTAREA"), kept);
  assert.deepEqual(keeps("SELECT"), kept);
  assert.deepEqual(keeps("INPUT", "range"), ["ArrowRight", "Home"]);
  assert.deepEqual(keeps("INPUT", "checkbox"), ["Space"]);
  assert.deepEqual(keeps("BUTTON"), ["Space", "Enter"]);
  assert.deepEqual(keeps("SUMMARY"), ["Space", "Enter"]);
  assert.deepEqual(keeps("A"), ["Enter"]);
  assert.deepEqual(keeps("BUTTON", "", "tab"), ["Space", "Enter", "ArrowRight", "Home"]);
  assert.deepEqual(kept.filter((key) => needs({ tag: "DIV", type: "", role: "", editable: true }, key)), kept);
});

test("a list that scrolls keeps the keys that scroll it, and no letter", () => {
  const list = { tag: "DIV", type: "", role: "group", editable: false, scrolls: true };
  assert.deepEqual(["ArrowDown", "PageDown", "Home", "Space", "ArrowRight", "X"].filter((key) => needs(list, key)), ["ArrowDown", "PageDown", "Home", "Space"]);
});

/** An element of a page without a browser. */
class Fake {
  tagName = "BUTTON";
  isContentEditable = false;
  scrollHeight = 0;
  clientHeight = 0;
  /** @type {Record<string, string>} */
  dataset = {};
  pressed = 0;
  /** @param {Record<string, string>} attributes */
  constructor(attributes = {}) {
    this.attributes = attributes;
  }
  /** @param {string} name */
  getAttribute(name) {
    return this.attributes[name] ?? null;
  }
  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  /** @param {string} name */
  removeAttribute(name) {
    delete this.attributes[name];
  }
  closest() {
    return null;
  }
  matches() {
    return false;
  }
  checkVisibility() {
    return true;
  }
  scrollIntoView() {}
  click() {
    this.pressed++;
  }
}

/**
 * Returns a page with the card of C2 and its Step button, and a function that strikes a key.
 * @param {import("node:test").TestContext} t
 * @param {{answers?: Fake[], dialog?: Fake & {querySelectorAll: (selector: string) => Fake[]}}} [more]
 */
function page(t, { answers = [], dialog } = {}) {
  const card = Object.assign(new Fake(), { tagName: "DIV", dataset: { client: "C2" } });
  const step = new Fake();
  /** @type {((event: any) => void) | undefined} */
  let down;
  const found = /** @type {Record<string, () => Fake[]>} */ ({
    "[data-client]": () => [card],
    "[aria-keyshortcuts]": () => [step, ...answers].filter((e) => e.getAttribute("aria-keyshortcuts")),
  });
  const document = {
    documentElement: new Fake(),
    body: new Fake(),
    querySelector: (/** @type {string} */ selector) => (selector === "dialog[open]" ? (dialog ?? null) : null),
    querySelectorAll: (/** @type {string} */ selector) => found[selector]?.() ?? (selector.includes("[name=guess]") ? answers : []),
    getElementById: (/** @type {string} */ id) => (id === "step-C2" ? step : null),
    addEventListener: (/** @type {string} */ kind, /** @type {(event: any) => void} */ hear) => kind === "keydown" && (down = hear),
  };
  document.body.tagName = "BODY";
  browser(t, { document, Element: Fake, HTMLElement: Fake, HTMLInputElement: class {} });
  keys(/** @type {any} */ (document));
  return { document, step, strike: (/** @type {string} */ key, repeat = false) => down?.({ ...plain, key, repeat, target: document.body, preventDefault() {} }) };
}

test("a held key steps a client once", (t) => {
  const { step, strike } = page(t);
  strike("2");
  for (let i = 0; i < 20; i++) strike("2", true);
  assert.equal(step.pressed, 1);
});

test("a digit presses nothing where the reader has turned letters off", (t) => {
  const { document, step, strike } = page(t);
  document.documentElement.dataset.letters = "off";
  strike("2");
  assert.equal(step.pressed, 0);
});

test("a digit belongs to the answers while a question is open", (t) => {
  const answer = new Fake({ "aria-keyshortcuts": "2" });
  const { step, strike } = page(t, { answers: [answer] });
  strike("2");
  assert.deepEqual([step.pressed, answer.pressed, step.getAttribute("aria-keyshortcuts")], [0, 1, null]);
});

test("a key presses nothing behind an open dialog", (t) => {
  const { step, strike } = page(t, { dialog: Object.assign(new Fake(), { querySelectorAll: () => [] }) });
  strike("2");
  assert.equal(step.pressed, 0);
});
