import assert from "node:assert/strict";
import test from "node:test";

import { browser } from "../lib/globals.testdata.js";
import { encode } from "./fragment.js";

/** An element of a page without a browser. */
class Fake {
  hidden = false;
  textContent = "{}";
  value = "";
  /** @type {Record<string, string>} */
  dataset = {};
  addEventListener() {}
  querySelector() {
    return null;
  }
  /** @returns {Fake[]} */
  querySelectorAll() {
    return [];
  }
  focus() {}
}

/** The server's answer to the question what a run would be. It is the last that the page hears before the reader acts. */
const BUSY = "The server is busy.";

let loads = 0;

/**
 * Returns the page that a link leads to, in a browser whose address, referrer and entry of the history the test may change.
 * @param {import("node:test").TestContext} t
 */
function page(t) {
  /** @type {Record<string, () => void>} */
  let hears = {};
  /** @type {string[]} */
  const done = [];
  let did = () => {};
  const entry = { hash: "", referrer: "", short: false, state: /** @type {any} */ (null) };
  /** @param {string} what */
  const does = (what) => {
    done.push(what);
    did();
  };
  const elements = /** @type {Record<string, Fake>} */ ({
    "link-form": Object.assign(new Fake(), { submit: () => does("opens") }),
    "link-open": Object.assign(new Fake(), { focus: () => does("shows") }),
    "link-error": Object.defineProperty(new Fake(), "textContent", { set: (text) => text === BUSY && does("asks") }),
  });
  const document = Object.assign(new Fake(), {
    referrer: "", documentElement: new Fake(),
    getElementById: (/** @type {string} */ id) => (id === "link-data" || (id === "link-open" && !entry.short) ? null : (elements[id] ??= new Fake())),
    querySelector: () => null,
  });
  browser(t, {
    document,
    location: { get hash() { return entry.hash; }, origin: "http://class.test", pathname: "/p", reload: () => does("loads") },
    history: { get state() { return entry.state; }, replaceState: (/** @type {any} */ state) => void (entry.state = state) },
    sessionStorage: { getItem: () => null, removeItem() {} },
    addEventListener: (/** @type {string} */ kind, /** @type {() => void} */ hear) => void (hears[kind] = hear),
    FormData: class { *[Symbol.iterator]() {} },
    fetch: async () => new Response(BUSY, { headers: { "Content-Type": "text/plain" } }),
  });
  return {
    entry,
    async load() {
      hears = {};
      document.referrer = entry.referrer;
      const module = `./link.js?${++loads}`; // its text runs again, as each time that a browser loads the page
      await import(module);
    },
    /** A link is put into the address of the open page. @param {string} hash */
    put(hash) {
      entry.hash = hash;
      hears.hashchange();
    },
    /** Returns what the page does first, from now on. */
    async does() {
      if (done.length === 0) await new Promise((resolve) => (did = () => resolve(undefined)));
      return done.shift();
    },
  };
}

test("a link on a page of this site opens at once, and from anywhere else the page asks first", async (t) => {
  const { entry, load, does } = page(t);
  entry.hash = `#${await encode("spawn C1\n")}`;
  for (const [referrer, wanted] of [
    ["http://class.test/courses/redis-lock", "opens"],
    ["http://chat.test/", "asks"],
    ["", "asks"],
    ["http://class.test/p?lang=zh", "asks"], // the link to the other language takes the run along
  ]) {
    Object.assign(entry, { referrer, state: null });
    await load();
    assert.equal(await does(), wanted, `from “${referrer}”`);
  }
});

test("a link put into the address of this page asks first, although the reader has come from this site", async (t) => {
  const { entry, load, put, does } = page(t);
  entry.referrer = "http://class.test/"; // Firefox keeps it when the page loads itself again; Chromium then says /p
  await load();
  put(`#${await encode("spawn C1\n")}`);
  assert.equal(await does(), "loads");
  await load();
  assert.equal(await does(), "asks");
});

test("the page of a short link shows its run, and opens it for a reader who comes from this site", async (t) => {
  const { entry, load, does } = page(t);
  entry.short = true;
  for (const [referrer, state, wanted] of /** @type {const} */ ([
    ["http://class.test/courses/redis-lock", null, "opens"],
    ["http://class.test/courses/redis-lock", { opened: true }, "shows"],
    ["http://chat.test/", null, "shows"],
    ["", null, "shows"],
  ])) {
    Object.assign(entry, { referrer, state });
    await load();
    assert.equal(await does(), wanted, `from “${referrer}”`);
  }
});
