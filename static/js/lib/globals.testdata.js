/**
 * Sets globals of a browser for one test, where there is none.
 * @param {import("node:test").TestContext} t
 * @param {Record<string, unknown>} some
 */
export function browser(t, some) {
  const before = Object.keys(some).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  Object.assign(globalThis, some);
  t.after(() => {
    for (const [name, was] of /** @type {[string, PropertyDescriptor | undefined][]} */ (before)) {
      if (was) Object.defineProperty(globalThis, name, was);
      else delete (/** @type {any} */ (globalThis)[name]);
    }
  });
}
