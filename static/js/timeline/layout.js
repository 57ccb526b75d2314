/**
 * From marks to geometry: moments become x, lanes become y, words become texts.
 * Pure and deterministic: the same marks give the same numbers.
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("./shapes.js").Geometry} Geometry
 * @typedef {import("./shapes.js").Group} Group
 * @typedef {import("./text.js").Measure} Measure
 *
 * @typedef {object} Words  what the picture says, in the viewer's language
 * @property {string} timeline
 * @property {string} waits
 * @property {string} asleep
 * @property {string} inside
 * @property {string} releasing
 * @property {string} done
 * @property {string} crashed
 * @property {string} failed
 * @property {string} paused
 * @property {string} expired
 * @property {string} until
 * @property {string} lost
 * @property {string} holders
 * @property {string} cause
 * @property {Record<string, string>} property
 *
 * @typedef {object} Options
 * @property {Words} words
 * @property {Measure} measure
 * @property {number} columnWidth  least distance of two columns, px
 * @property {number} width  the picture is at least so wide, px
 *
 * @typedef {object} Frame  where things stand
 * @property {(at: number) => number} x  of a moment
 * @property {import("./rows.js").Rows} rows
 * @property {number} left  where the lanes begin
 * @property {number} playhead
 * @property {number} width
 * @property {number} end  the playhead as a moment
 * @property {Options} options
 */

import { SIZE, extent, labels, roomInside } from "./labels.js";
import { columnOf } from "./moments.js";
import { axis, ghosts, heads, laneLines, playhead, ticks } from "./parts/frame.js";
import { keyBands } from "./parts/bands.js";
import { arrows } from "./parts/arrows.js";
import { points, restarts } from "./parts/points.js";
import { criticalSections, pauses, sleeps } from "./parts/sections.js";
import { causes, flags, placeCauses, placeFlags, tints } from "./parts/violations.js";
import { gutter, rows } from "./rows.js";
import { offset } from "./scale.js";
import { columns, gaps } from "./spacing.js";
import { label } from "./parts/label.js";

const MARGIN = 16;

/**
 * @param {Marks} marks
 * @param {Options} options
 * @returns {Geometry}
 */
export function layout(marks, options) {
  const texts = labels(marks, options);
  const left = gutter(marks, options);
  const wanted = [...gaps(texts.map((t) => extent(t, options)), marks.end), ...roomInside(marks, options)];
  const column = columns(marks.end, left, options.columnWidth, wanted);
  /** @param {number} at */
  const x = (at) => column(columnOf(at)) + offset(at);
  const flagged = placeFlags(marks, x, left, options);
  const reach = Math.max(x(marks.end), ...flagged.map((f) => f.x + f.width)) + MARGIN;
  const width = Math.max(reach, options.width);
  const caused = placeCauses(marks, x, left, width, options);
  const y = rows(marks, rowCount(flagged), rowCount(caused));
  /** @type {Frame} */
  const frame = { x, rows: y, left, playhead: x(marks.end), width, end: marks.end, options };

  return {
    width,
    height: y.height,
    playhead: frame.playhead,
    reach,
    // What comes later is drawn over what comes earlier.
    groups: [
      ...tints(marks, frame),
      ...ghosts(marks, frame),
      ...axis(frame),
      ...ticks(marks, frame),
      ...laneLines(marks, frame),
      ...pauses(marks, frame),
      ...sleeps(marks, frame),
      ...criticalSections(marks, frame),
      ...causes(caused, frame),
      ...restarts(marks, frame),
      ...arrows(marks, frame),
      ...keyBands(marks, frame),
      ...points(marks, frame),
      ...texts.map((t) => label(t, x(t.at) + t.dx, y.baseline(t.row) + t.drop, SIZE, options)),
      ...playhead(frame),
      ...flags(flagged, frame),
      ...heads(marks, frame),
    ],
  };
}

/** @param {{row: number}[]} placed */
const rowCount = (placed) => placed.reduce((most, p) => Math.max(most, p.row + 1), 0);
