/**
 * Loads the layout in which time runs downwards: only narrow windows need it. A page that
 * waits for it before it draws never shows another one first.
 */

/** A pane is narrow up to here, px of the picture. */
export const NARROW = 560;

/** @returns {Promise<typeof import("./vertical/layout.js").layout>} */
export const down = () => import("./vertical/layout.js").then(({ layout }) => layout);

/** Loads it, where the window is narrow. */
export const downHere = () => innerWidth <= NARROW && down();
