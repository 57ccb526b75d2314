/**
 * Draws the plain axis of the Real scale, divided where time passes.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { path, rounded } from "../shapes.js";
import { timeText } from "../../trace/time.js";
import { WORD } from "../type.js";
import { text } from "./label.js";

/** ms */
const STEPS = [1_000, 2_000, 5_000, 10_000, 20_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000];

/** px from one number to the next, and from a number to the end of the stretch; and where it is a wall time. */
const APART = 80;
const WALL_APART = 128;

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function graduations({ ticks, began: wall }, { along, across: { body }, second = 0, from, to, options: { scale, measure } }) {
  if (scale !== "real") return [];
  const apart = wall ? WALL_APART : APART;
  const step = STEPS.find((ms) => (ms / 1000) * second >= apart) ?? STEPS[STEPS.length - 1];
  let d = "";
  /** @type {Group[]} */
  const numbers = [];
  for (const t of ticks) {
    const end = along(t.at);
    const start = end - (t.by / 1000) * second;
    if (end < from || start > to) continue;
    const began = t.time - t.by;
    /** @param {number} time */
    const place = (time) => start + ((time - began) / 1000) * second;
    // Only what is in the window: an hour may pass in one tick.
    const first = Math.max(began, began + ((from - start) / second) * 1000);
    const last = Math.min(t.time, began + ((to - start) / second) * 1000);
    for (let time = Math.ceil(first / step) * step; time <= last; time += step) {
      d += `M${rounded(place(time))} ${body.from - 5}v10`;
      if (place(time) < start + 8 || place(time) > end - apart / 2) continue;
      numbers.push({
        key: `${t.seq} at ${time}`, seq: 0, class: "label", title: null, layer: "words", since: t.seq,
        shapes: [text("time", place(time) + 4, body.from - 10, timeText(time, wall), WORD, "start", measure)],
      });
    }
    d += `M${rounded(start)} ${body.from}h${rounded(end - start)}`;
  }
  return d ? [{ key: "graduations", seq: 0, class: "axis", title: null, shapes: [path("graduation", d)] }, ...numbers] : [];
}
