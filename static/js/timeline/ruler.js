/**
 * Converts moments to px along the axis. It spaces the columns once for a log, by their
 * content; zooming stretches them.
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("./layout.js").Options} Options
 * @typedef {import("./labels.js").Label} Label
 *
 * @typedef {object} Ruler
 * @property {(at: number) => number} along  px of a moment, on a client's lane
 * @property {(at: number) => number} knot  and on a node's: where time runs down, arrows fall a little
 * @property {(column: number) => number} before  where the playhead stands when a column is the next
 * @property {number} lead  how far before its arrival an arrow leaves its lane, px
 * @property {number} playhead
 * @property {number} second  px, on the Real scale
 */

import { extent, follows, roomInside } from "./labels.js";
import { columnOf } from "./moments.js";
import { isUnder } from "./rows.js";
import { BEFORE, LEAN, SECOND, offset } from "./scale.js";
import { columns, gaps } from "./spacing.js";

/** From the last thing that has happened to the playhead at least, px. */
const LAST = 32;

/** From a tick to the next that follows it, px. */
const TICK = 24;

/** To the playhead, which is a line. */
const BESIDE = 8;

/** @type {WeakMap<Marks, Map<string, Float64Array>>} */
const spaced = new WeakMap();

/**
 * @param {Marks} marks
 * @param {Label[]} texts
 * @param {Options} options
 * @param {number} left  where the lanes begin
 * @param {boolean} compact
 * @returns {Ruler}
 */
export function ruler(marks, texts, options, left, compact) {
  const { zoom = 1 } = options;
  const small = Math.min(1, zoom);
  const xs = columnsOf(marks, texts, options, compact);
  /** @param {number} column */
  const before = (column) => left + xs[column + 1] * zoom - (LEAN + BEFORE) * small;
  const playhead = before(marks.end);
  /** @param {number} at */
  const along = (at) => (at >= marks.end ? playhead : left + xs[columnOf(at) + 1] * zoom + offset(at) * small);
  return { along, knot: along, before, lead: LEAN * small, playhead, second: SECOND * zoom };
}

/** @param {Marks} marks @param {Label[]} texts @param {Options} options @param {boolean} compact */
function columnsOf(marks, texts, options, compact) {
  const { columnWidth, scale = "steps" } = options;
  const id = `${scale} ${columnWidth} ${compact} ${options.words.inside}`;
  const known = spaced.get(marks) ?? new Map();
  spaced.set(marks, known);
  if (!known.has(id)) {
    const passing = new Float64Array(marks.end + 1);
    if (scale === "real") for (const t of marks.ticks) passing[columnOf(t.at)] += (t.by / 1000) * SECOND;
    const wanted = [
      ...gaps(texts.map((t) => extent(t, options)), marks.end, BESIDE + LEAN + BEFORE),
      ...roomInside(marks, options, compact, isUnder(marks, compact)),
    ];
    if (marks.end > 0) wanted.push({ from: marks.end - 1, to: marks.end, distance: LEAN + LAST + LEAN + BEFORE });
    const narrow = new Set(scale === "real" ? [] : marks.ticks.filter((t, i) => i > 0 && follows(t, marks.ticks[i - 1])).map((t) => columnOf(t.at)));
    known.set(id, columns(marks.end, (column) => (narrow.has(column) ? Math.min(TICK, columnWidth) : columnWidth), wanted, passing));
  }
  return known.get(id);
}
