/**
 * Lays marks out as a plan: moments become places along the axis, lanes places across it, words texts.
 * It is pure: the same marks give the same numbers.
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("./plan.js").Plan} Plan
 * @typedef {import("./shapes.js").Group} Group
 * @typedef {import("./text.js").Measure} Measure
 * @typedef {import("./labels.js").Label} Label
 *
 * @typedef {object} Words  what the picture says, in the viewer's language
 * @property {string} timeline
 * @property {string} waits
 * @property {string} asleep
 * @property {string} inside
 * @property {string} releasing
 * @property {string} done
 * @property {string} crashed
 * @property {string} down  of a node of Redis
 * @property {string} failed
 * @property {string} paused
 * @property {string} expired
 * @property {string} by  whom a key was written
 * @property {string} until
 * @property {string} lost
 * @property {string} storage
 * @property {string} accepted
 * @property {string} rejected
 * @property {string} read
 * @property {string} wrote
 * @property {string} staged
 * @property {string} committed
 * @property {string} nothing
 * @property {string} cause
 * @property {string} leave  what a client that is inside can do; empty: nothing
 * @property {string} work  the same where its program says what it does inside
 * @property {Record<string, string>} property
 *
 * @typedef {typeof import("./parts/coarse.js").coarse} Coarse
 *
 * @typedef {object} Options
 * @property {Words} words
 * @property {Measure} measure
 * @property {"x" | "y"} [axis]  the direction of time; left out: to the right
 * @property {number} columnWidth  least distance of two columns, px
 * @property {number} width  the least width of the picture, px
 * @property {number} [height]  of the pane, which the lanes share, px; 0: as much as they like
 * @property {number} [pitch]  from lane to lane at most, px, where they have as much height as they like
 * @property {number} [scroll]  how far the lanes are scrolled, px, where they do not fit
 * @property {number} [zoom]  1: as wide as the texts need
 * @property {"steps" | "real"} [scale]
 * @property {{rows: import("./rows.js").Rows, part: number}} [from]  where the lanes come from, and the part of the way to their places that they have come
 * @property {boolean} [tokens]  what is in flight can be pressed
 * @property {() => string} [leads]  the client whose token is the one thing to press now; empty: no token is
 * @property {boolean} [wall]  it is read from the last row, and nobody can scroll it
 * @property {Coarse} [coarse]  draws a window that has too much for whole arrows; without it all is drawn in full
 * @property {typeof import("./parts/edge.js").edge} [edge]  says at the left edge again what is cut there
 * @property {number} [stacked]  in a higher pane, px, two rows are kept free for flags, which take both before they reach into the future: what has happened needs the width
 * @property {number} [gutter]  the least room that is kept free left of the lanes, px
 *
 * @typedef {object} Frame  where things stand, and which stretch is asked for
 * @property {import("./axis.js").Axis} axis
 * @property {import("./ruler.js").Ruler["along"]} along
 * @property {import("./ruler.js").Ruler["knot"]} knot
 * @property {import("./ruler.js").Ruler["lead"]} lead
 * @property {import("./rows.js").Across} across
 * @property {(violation: Pick<import("./model.js").Violation, "from" | "to">) => {from: number, to: number}} stretch  px, of its tint
 * @property {number} start  where the lanes begin
 * @property {number} playhead
 * @property {number} end  of the picture, along the axis
 * @property {number} from  px
 * @property {number} to  px
 * @property {(from: number, to: number) => boolean} touches  whether a stretch of moments is in it
 * @property {Options} options
 * @property {import("./rows.js").Rows} [rows]  the same as across, where time runs to the right
 * @property {number} [second]  px, on the Real scale
 * @property {(key: string) => Label | undefined} [word]  a label, where it is written
 * @property {import("./down.js").Only} [down]  where time runs down
 *
 * @typedef {Frame & {rows: import("./rows.js").Rows, type: import("./type.js").Type}} Right  time runs to the right
 * @typedef {Frame & {down: import("./down.js").Only, across: import("./columns.js").Columns}} Down
 */

import { AXES } from "./axis.js";
import { downwards } from "./downwards.js";
import { labels } from "./labels.js";
import { level, levels } from "./level.js";
import { columnOf } from "./moments.js";
import { outline } from "./outline.js";
import { causes } from "./parts/causes.js";
import { graduations } from "./parts/graduations.js";
import { heads } from "./parts/heads.js";
import { keyBands, bandWords } from "./parts/bands.js";
import { arrows } from "./parts/arrows.js";
import { ahead, axisLine, ghosts, laneLines, nodeLines, stays, ticks } from "./parts/frame.js";
import { flags, placeFlags, stretched, tints } from "./parts/violations.js";
import { points, restarts } from "./parts/points.js";
import { criticalSections, pauses, sectionWords, sleeps } from "./parts/sections.js";
import { roomy, texts } from "./parts/texts.js";
import { motion } from "./parts/motion.js";
import { waiting, waitingRoom } from "./parts/waiting.js";
import { BUDGET, nodeCount } from "./plan.js";
import { freeFlags, gutter, isCompact, moved, rows } from "./rows.js";
import { ruler } from "./ruler.js";
import { FLAG } from "./scale.js";
import { stops } from "./stops.js";
import { lasts } from "./timing.js";
import { typeOf } from "./type.js";
import { ARRIVALS } from "../trace/state.js";

const MARGIN = 16;

/** The least stretch of the future after the playhead, in general and where something waits there, px. */
const FUTURE = 16;
const WALL_FUTURE = 16; // nobody presses anything there
const TIME_ROOM = 120; // for the buttons at the end of the axis
const WAITING_ROOM = 128;

/** The room for the number of others that a flag stands for, px. */
const COUNTED = 32;

/**
 * @param {Marks} marks
 * @param {Options} options
 * @returns {Plan}
 */
export function layout(marks, options) {
  const { frame, before, reach, draw, ...more } = options.axis === "y" && downwards.lay ? downwards.lay(marks, options, { axis: AXES.y, labels, ground }) : right(marks, options);
  const { axis, along, knot, across, start, end, playhead } = frame;
  const { after, at } = stops(marks, knot, before);
  const [width, height] = axis.xy(end, across.end);
  return {
    axis: axis.name, width, height, head: start, playhead, reach, after, at, pitch: across.pitch,
    place(seq) {
      const last = Math.min(seq, marks.at.length) - 1;
      const [moment = -1, kind = ""] = [marks.at[last], marks.events[last]?.kind];
      if (kind === "reply" && frame.down) return knot(columnOf(moment)); // it sets out where its command arrived
      return (ARRIVALS.has(kind) ? knot : along)(moment);
    },
    groups: draw,
    waiting: (state, position, carried) => waiting(marks, state, after(position), frame, carried),
    lasts: (seq) => lasts(marks, seq),
    motion: (state, position, dropped) => motion(marks, frame, after, state, position, dropped),
    ahead: (px) => ahead(marks, { ...frame, playhead: px }),
    lanes: () => marks.lanes.map(({ name, node }) => ({ name, node, at: across.lane(name), seen: across.seen(name) })),
    ...more,
  };
}

/** Time runs to the right: the lanes share the height of the pane, and columns are as far from each other as their words need.
 * @param {Marks} marks @param {Options} options
 */
function right(marks, options) {
  const compact = isCompact(marks, options);
  const known = labelsOf(marks, options, compact);
  const start = Math.max(gutter(marks, options, compact), options.gutter ?? 0);
  const { before, ...scale } = ruler(marks, known, options, start, compact, () => labelsOf(marks, options, true));
  const { along, lead, playhead } = scale;
  const stretch = stretched(scale);
  const flagged = placeFlags(marks, stretch, start, options, compact ? freeFlags(options) : FLAG.rows, compact);
  const settled = rows(marks, options, flagged.reduce((most, f) => Math.max(most, f.row + 1), 0));
  const y = options.from ? moved(options.from.rows, settled, options.from.part) : settled;
  const waits = waitingRoom(marks, options, y);
  const reach = Math.max(playhead + future(waits, options), ...(options.wall ? [] : flagged).slice(-2).map((f) => f.x + f.width + (f.count > 1 ? COUNTED : 0))) + (options.wall ? 0 : MARGIN);
  // On a wall what waits at an earlier position is in view there, too.
  const end = Math.max(reach + (options.wall ? WAITING_ROOM : 0), options.width);
  // Zoomed out, words become smaller before they give way.
  const small = (options.zoom ?? 1) < 1;
  const roomyTexts = small ? roomy(labelsOf(marks, options, true), { along, lead, options }) : known;
  const all = { marks, texts: roomyTexts, flagged };
  /** @type {Map<string, Label> | undefined} */
  let byKey;
  /** @param {string} key @returns {Label | undefined} */
  const word = (key) => (byKey ??= new Map(roomyTexts.map((/** @type {Label} */ l) => [l.key, l]))).get(key);
  /** @param {number} from @param {number} to @returns {Right} */
  const window = (from, to) => ({
    ...scale, axis: AXES.x, across: y, rows: y, type: typeOf(compact || small), stretch, start, end, word, from, to, options,
    touches: (a, b) => along(a) - lead <= to && along(b) + lead >= from,
  });
  const frame = window(0, end);
  return {
    frame, before, reach,
    /** @param {number} from @param {number} to */
    draw(from, to) {
      const part = window(from, to);
      // A window may hold more of other marks than of calls: then it is drawn one level coarser.
      for (const name of options.coarse ? levels(level(marks, part)) : levels("full")) {
        const groups = name === "full" ? full(all, part) : coarser(options.coarse?.[name], all, part);
        if (name === "densities" || nodeCount(groups) <= BUDGET || to === Infinity || !options.coarse) return groups;
      }
      return [];
    },
    heads: (/** @type {import("../trace/state.js").State} */ state) => heads(marks, state, frame),
    edge: (/** @type {number} */ left, /** @type {number} */ right, /** @type {number} */ now) => options.edge?.(all, { left, right, now }, frame) ?? [],
    axisAt: y.axis,
    rows: y,
    outline: () => outline(marks, frame),
  };
}

/** Returns how much is kept free beyond the playhead, px. @param {number} waits  how wide the messages are that wait there @param {Options} options */
function future(waits, { wall, gutter }) {
  if (wall) return waits || WALL_FUTURE;
  return waits > 0 ? Math.max(WAITING_ROOM, waits) : gutter ? TIME_ROOM : FUTURE;
}

/** Draws the ground of the words, in either direction of time: later marks cover earlier ones. @param {Marks} marks @param {Frame} frame @param {Group[]} arcs  from causes */
const ground = (marks, frame, arcs) => [
  ...tints(marks, frame),
  ...ghosts(marks, frame),
  ...ticks(marks, frame),
  ...laneLines(marks, frame),
  ...pauses(marks, frame),
  ...sleeps(marks, frame),
  ...criticalSections(marks, frame),
  ...stays(frame),
  ...axisLine(frame),
  ...graduations(marks, frame),
  ...nodeLines(marks, frame),
  ...keyBands(marks, frame),
  ...arcs,
  ...restarts(marks, frame),
  ...arrows(marks, frame),
  ...points(marks, frame),
];

/** @typedef {{marks: Marks, texts: Label[], flagged: import("./parts/violations.js").Flag[]}} All */

/** @param {All} all @param {Right} frame @returns {Group[]} */
const full = ({ marks, texts: known, flagged }, frame) => [
  ...ground(marks, frame, causes(marks, frame)),
  ...sectionWords(marks, frame),
  ...bandWords(marks, frame),
  ...texts(known, frame),
  ...flags(flagged, frame),
];

/** @param {Coarse["stubs"] | undefined} drawing @param {All} all @param {Right} frame @returns {Group[]} */
const coarser = (drawing, { marks, texts: known, flagged }, frame) => [
  ...drawing?.(marks, frame) ?? [],
  ...texts(known.filter((t) => t.strip === "time"), frame),
  ...flags(flagged, frame),
];

/** @type {WeakMap<Marks, Map<string, Label[]>>} the labels of a log are the same at every zoom */
const said = new WeakMap();

/** @param {Marks} marks @param {Options} options @param {boolean} compact */
function labelsOf(marks, options, compact) {
  const id = `${options.scale} ${compact} ${options.words.lost}`;
  const known = said.get(marks) ?? new Map();
  said.set(marks, known);
  if (!known.has(id)) known.set(id, labels(marks, options, compact));
  return known.get(id);
}
