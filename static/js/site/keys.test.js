import assert from "node:assert/strict";
import { test } from "node:test";
import { digitOf, isCharacter, names, needs, neighbour, shortcutOf } from "./keys.js";

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
