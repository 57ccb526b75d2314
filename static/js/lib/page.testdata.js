/**
 * A page without a browser, for the scripts of a room: they begin as they load, hear the page's events, and open a socket
 * that only the test answers.
 */

import { browser } from "./globals.testdata.js";

/** An element. */
export class Part {
  hidden = false;
  disabled = false;
  open = false;
  textContent = "";
  id = "";
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
  getBoundingClientRect = () => ({ width: 0 });
  /** @param {string} name */
  getAttribute = (name) => this.attributes.get(name) ?? null;
  /** @param {string} name */
  hasAttribute = (name) => this.attributes.has(name);
  /** @param {string} name @param {string} value */
  setAttribute = (name, value) => void this.attributes.set(name, value);
  /** @param {string} name */
  removeAttribute = (name) => void this.attributes.delete(name);
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
export class Form extends Part {}

/**
 * Returns a page in which a script can begin.
 * @param {(id: string) => Part | null} find  the element with an id
 */
export function page(find) {
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
      getElementById: find,
      querySelectorAll: () => [],
      querySelector: () => null,
      createElement: () => new Part(),
      addEventListener: (/** @type {string} */ kind, /** @type {(event: any) => void} */ hear) => (hears[kind] = hear),
    },
    location: { protocol: "http:", host: "class.test" },
    addEventListener() {},
    requestAnimationFrame: () => 0,
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

  return {
    globals,
    hears,
    /** What the page has sent. @returns {any[]} */
    sent: () => socket.sent,
    /** Has the server tell the page something. @param {object} message */
    tells: (message) => socket.onmessage({ data: JSON.stringify(message) }),
    /** Begins the page, as its script loads. Tests of other scripts, in the same process, have no such page. @param {() => Promise<unknown>} load */
    async begins(load) {
      /** @type {(() => void)[]} */
      const back = [];
      browser(/** @type {any} */ ({ after: (/** @type {() => void} */ act) => back.push(act) }), globals);
      await load();
      for (const act of back) act();
    },
  };
}
