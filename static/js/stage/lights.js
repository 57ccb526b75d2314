/**
 * Loads what lights the words of a page (lighting.js) when the first picture is there: nobody points at a word before.
 *
 * @typedef {import("./lighting.js").Picture} Picture
 */

/** After the first picture, ms. */
const SOON = 300;

/**
 * @param {HTMLElement} box  has the picture
 * @param {() => Picture} picture
 */
export function lights(box, picture) {
  /** @type {ReturnType<typeof import("./lighting.js").lighting> | undefined} */
  let all;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later;

  async function load() {
    const loaded = await import("./lighting.js").catch(() => undefined); // without a connection words stay words
    all = loaded?.lighting(box, picture());
    all?.moved();
  }

  return {
    /** The picture shows another event. */
    moved() {
      if (all) all.moved();
      else later ??= setTimeout(load, SOON);
    },
    /** The reader points at a mark. @param {number} seq  0: at none */
    point: (seq) => all?.point(seq),
  };
}
