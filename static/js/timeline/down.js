/**
 * The layout in which time runs downwards: only narrow windows load it. A page that
 * waits for it before it draws never shows another one first.
 *
 * @typedef {typeof import("./layout.js").layout} Layout
 */

/** A pane is narrow up to here, px of the picture. */
export const NARROW = 560;

export const down = {
  /** @type {Layout | undefined} once it is loaded */
  layout: undefined,

  async load() {
    down.layout = (await import("./vertical/layout.js")).layout;
  },
};

/** Loads it, where the window is narrow. */
export const downHere = () => innerWidth <= NARROW && down.load();
