/**
 * Draws a message as a pill: one that waits at the playhead, and one that moves.
 *
 * @typedef {import("../shapes.js").Shape} Shape
 */

import { path, rect } from "../shapes.js";
import { text } from "./label.js";

/**
 * How large a pill is, by the room that the lanes have.
 * @typedef {{height: number, size: number, pad: number}} PillScale  size: of its letters, px
 */

/** @type {PillScale} */
export const LARGE = { height: 40, size: 17, pad: 18 };
/** @type {PillScale} */
export const SMALL = { height: 26, size: 14, pad: 10 };
/** @type {PillScale} */
const SMALLEST = { height: 21, size: 14, pad: 8 };

/** A row of replies has no room for more. @type {PillScale} */
export const REPLY = { height: 22, size: 14, pad: 8 };

/** From the sign of playing to the words, and its own width, px. */
const SIGN = { width: 10, apart: 8 };

/** @param {{rows?: import("../rows.js").Rows}} frame @returns {PillScale} */
export const scaleOf = ({ rows }) => (rows?.compact ? (rows.scale.bar < 8 ? SMALLEST : SMALL) : LARGE);

/**
 * Returns the width of a pill.
 * @param {string} content
 * @param {boolean} pressed  it has the sign of what can be pressed
 * @param {PillScale} scale
 * @param {import("../text.js").Measure} measure
 */
export const widthOf = (content, pressed, { size, pad }, measure) => Math.ceil(measure(content, size)) + 2 * pad + (pressed ? SIGN.width + SIGN.apart - pad / 3 : 0);

/**
 * @param {{left: number, y: number, width: number, height: number}} place  y: of its middle
 * @param {string} content
 * @param {boolean} pressed
 * @param {PillScale} scale
 * @param {import("../text.js").Measure} measure
 * @param {string} [name]
 * @returns {Shape[]}
 */
export function pill({ left, y, width, height }, content, pressed, { size, pad, height: full }, measure, name = "pill") {
  const shapes = [rect(name, left, y - height / 2, width, height, height / 2)];
  // Words that have no room are not there.
  if (height < full * 0.7 || width < widthOf(content, pressed, { height, size, pad }, measure) * 0.85) return shapes;
  const sign = left + pad * 0.8;
  const start = pressed ? sign + SIGN.width + SIGN.apart : left + (width - measure(content, size)) / 2;
  return [
    ...shapes,
    ...(pressed ? [path("pill-sign", `M${sign} ${y - 6}l${SIGN.width} 6l${-SIGN.width} 6Z`)] : []),
    text("pill-word", start, y + size * 0.36, content, size, "start", measure),
  ];
}
