/**
 * What only a picture in which time runs down needs: only narrow panes load it. A page that waits for it before it draws
 * never shows time that runs to the right first.
 */

import { NARROW } from "./axis.js";

/** @type {{lay?: typeof import("./down.js").down}} lay: once it is loaded */
export const downwards = {};

export async function loadDown() {
  downwards.lay = (await import("./down.js")).down;
}

/** Loads it, where the window is narrow. */
export const downHere = () => innerWidth <= NARROW && loadDown();
