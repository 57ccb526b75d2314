/**
 * Draws the flags of violations where time runs down.
 *
 * @typedef {import("../layout.js").Down} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { FLAG } from "../scale.js";
import { fitted } from "../text.js";
import { CLOSE } from "../type.js";
import { flag, flagText } from "./violations.js";

/** Where flags begin: left of them there is room for the arrows that lead to them, px. */
export const LEFT = 18;

/** A flag stands in the row in which its violation begins, as long as the pane lets it be.
 * @param {Frame} frame @returns {Group[]}
 */
export function flagsDown({ down, across, from, to, options: { words, measure } }) {
  return down.rows(from, to).flatMap(({ violations, flags: top }) => violations.map((v, n) => {
    const content = fitted(flagText(v, words), CLOSE.flag, across.end - LEFT - 32, measure);
    return flag(v, LEFT, top + n * FLAG.pitch, Math.ceil(measure(content, CLOSE.flag)) + 20, content, CLOSE.flag, measure);
  }));
}
