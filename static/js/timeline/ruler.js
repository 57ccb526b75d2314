/**
 * Converts moments to px along the axis. It spaces the columns once for a log, by their
 * content. Zooming in stretches them. Zooming out takes their air first, until the words are as close as they can be read, and then all.
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

/** The least distance of two columns whose air is taken, px. */
const CLOSE_COLUMN = 24;

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
 * @param {() => Label[]} close  the same texts in small letters
 * @returns {Ruler}
 */
export function ruler(marks, texts, options, left, compact, close) {
  const { zoom = 1, scale } = options;
  const under = isUnder(marks, compact);
  const wide = columnsOf(marks, texts, options, compact, under);
  const { xs, small } = zoom < 1 && scale !== "real"
    ? closer(wide, columnsOf(marks, close(), { ...options, columnWidth: CLOSE_COLUMN }, true, under), zoom)
    : { xs: wide.map((x) => x * zoom), small: Math.min(1, zoom) };
  /** @param {number} column */
  const before = (column) => left + xs[column + 1] - (LEAN + BEFORE) * small;
  const playhead = before(marks.end);
  /** @param {number} at */
  const along = (at) => (at >= marks.end ? playhead : left + xs[columnOf(at) + 1] + offset(at) * small);
  return { along, knot: along, before, lead: LEAN * small, playhead, second: SECOND * zoom };
}

/**
 * Returns columns that are as long as the wide ones at a zoom: between those and the closest, or closer than them.
 * @param {Float64Array} wide @param {Float64Array} closest @param {number} zoom
 */
function closer(wide, closest, zoom) {
  const [most, least] = [wide[wide.length - 1], closest[closest.length - 1]];
  const small = (zoom * most) / least;
  if (small < 1) return { xs: closest.map((x) => x * small), small };
  const part = most > least ? (zoom * most - least) / (most - least) : 1;
  return { xs: closest.map((x, i) => x + (wide[i] - x) * part), small: 1 };
}

/** @param {Marks} marks @param {Label[]} texts @param {Options} options @param {boolean} close  letters are small @param {boolean} under  see roomInside @returns {Float64Array} */
function columnsOf(marks, texts, options, close, under) {
  const { columnWidth, scale = "steps" } = options;
  const id = `${scale} ${columnWidth} ${close} ${under} ${options.words.inside}`;
  const known = spaced.get(marks) ?? new Map();
  spaced.set(marks, known);
  if (!known.has(id)) {
    const passing = new Float64Array(marks.end + 1);
    if (scale === "real") for (const t of marks.ticks) passing[columnOf(t.at)] += (t.by / 1000) * SECOND;
    const wanted = [
      ...gaps(texts.map((t) => extent(t, options)), marks.end, BESIDE + LEAN + BEFORE),
      ...roomInside(marks, options, close, under),
    ];
    if (marks.end > 0) wanted.push({ from: marks.end - 1, to: marks.end, distance: LEAN + LAST + LEAN + BEFORE });
    const narrow = new Set(scale === "real" ? [] : marks.ticks.filter((t, i) => i > 0 && follows(t, marks.ticks[i - 1])).map((t) => columnOf(t.at)));
    known.set(id, columns(marks.end, (column) => (narrow.has(column) ? Math.min(TICK, columnWidth) : columnWidth), wanted, passing));
  }
  return known.get(id);
}
