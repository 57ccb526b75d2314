import assert from "node:assert/strict";
import { test } from "node:test";

import { browser } from "../lib/globals.testdata.js";

/** An element of a page without a browser. */
class Fake {
  hidden = false;
  focused = 0;
  /** @type {Record<string, string>} */
  dataset = {};
  /** @type {Map<string, string>} */
  attributes = new Map();
  /** @type {Record<string, (event: any) => void>} */
  hears = {};
  /** @type {Fake[]} */
  children = [];
  classList = { toggle() {} };
  /** @param {string} kind @param {(event: any) => void} hear */
  addEventListener(kind, hear) {
    this.hears[kind] = hear;
  }
  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.attributes.set(name, value);
  }
  /** @param {string} name @param {boolean} on */
  toggleAttribute(name, on) {
    if (on) this.attributes.set(name, "");
    else this.attributes.delete(name);
  }
  matches() {
    return false;
  }
  /** @param {Fake} inner @returns {boolean} */
  contains(inner) {
    return inner === this || this.children.some((child) => child.contains(inner));
  }
  closest() {
    return this;
  }
  focus() {
    this.focused++;
  }
}

/**
 * Returns a page with the drawers code and keys.
 * @param {import("node:test").TestContext} t
 * @param {{sheet?: boolean, kept?: string}} how  kept: what the browser has kept
 */
async function page(t, { sheet = false, kept } = {}) {
  /** @type {Map<string, string>} */
  const storage = new Map(kept === undefined ? [] : [["drawers", kept]]);
  browser(t, {
    matchMedia: () => ({ matches: false }),
    getComputedStyle: () => ({ getPropertyValue: () => (sheet ? "1" : "") }),
    ResizeObserver: class { observe() {} },
    localStorage: { getItem: (/** @type {string} */ name) => storage.get(name) ?? null, setItem: (/** @type {string} */ name, /** @type {string} */ text) => storage.set(name, text) },
  });
  const byID = /** @type {Record<string, Fake>} */ ({ "drawer-tabs": new Fake(), "open-drawers": new Fake(), "close-drawers": new Fake(), drawers: new Fake() });
  for (const name of ["code", "keys"]) {
    const [drawer, tab] = [new Fake(), new Fake()];
    drawer.dataset.drawer = tab.dataset.drawer = name;
    byID.drawers.children.push(drawer);
    Object.assign(byID, { [`drawer-${name}`]: drawer, [`tab-${name}`]: tab });
  }
  const menu = { open: false };
  const document = Object.assign(new Fake(), {
    body: new Fake(), documentElement: new Fake(), activeElement: new Fake(),
    getElementById: (/** @type {string} */ id) => byID[id] ?? null,
    querySelector: (/** @type {string} */ selector) => (selector === ".menu[open]" && menu.open ? new Fake() : null),
  });
  browser(t, { document });
  const { drawers } = await import("./drawers.js");
  drawers(/** @type {any} */ (document), { keeps: true, changed() {} });
  return {
    document, byID, menu, storage,
    opened: () => ["code", "keys"].filter((name) => !byID[`drawer-${name}`].attributes.has("data-closed")).join(" "),
    press: (/** @type {string} */ id) => byID["drawer-tabs"].hears.click({ target: byID[id] }),
    escape: () => document.hears.keydown({ key: "Escape" }),
  };
}

test("one drawer is seen at a time, and the browser keeps which one of the playground", async (t) => {
  const first = await page(t);
  assert.equal(first.opened(), "");
  first.byID["open-drawers"].hears.click({});
  assert.equal(first.opened(), "code");
  first.press("tab-keys");
  assert.equal(first.opened(), "keys");
  const second = await page(t, { kept: first.storage.get("drawers") });
  assert.equal(second.opened(), "keys");
});

test("a drawer that closes gives the focus to what opens it, if it had it", async (t) => {
  const { document, byID, opened, press } = await page(t, { kept: "code" });
  document.activeElement = /** @type {Fake} */ (byID["drawer-code"]);
  press("tab-code");
  assert.deepEqual([opened(), byID["open-drawers"].focused], ["", 1]);
});

test("Escape closes the drawer, and the focus is on what opens it; a menu over it closes first", async (t) => {
  const { document, byID, menu, opened, press, escape } = await page(t, { sheet: true });
  press("tab-keys");
  document.activeElement = /** @type {Fake} */ (byID["drawer-keys"]);
  menu.open = true;
  escape();
  assert.equal(opened(), "keys");
  menu.open = false;
  escape();
  assert.deepEqual([opened(), byID["open-drawers"].focused], ["", 1]);
});
