/**
 * Lays marks out as a plan: moments become x, lanes become y, words become texts.
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
 * @typedef {object} Options
 * @property {Words} words
 * @property {Measure} measure
 * @property {number} columnWidth  least distance of two columns, px
 * @property {number} width  the picture is at least so wide, px
 * @property {number} [height]  of the pane, which the lanes share, px; 0: as much as they like
 * @property {number} [pitch]  from lane to lane at most, px, where they have as much height as they like
 * @property {number} [scroll]  how far the lanes are scrolled, px, where they do not fit
 * @property {number} [zoom]  1: as wide as the texts need
 * @property {"steps" | "real"} [scale]
 * @property {{rows: import("./rows.js").Rows, part: number}} [from]  the lanes are so much of the way from there to their places
 * @property {boolean} [tokens]  what is in flight can be pressed
 * @property {boolean} [wall]  it is read from the last row, and nobody can scroll it
 * @property {number} [gutter]  so much is kept free at least left of the lanes, px
 *
 * @typedef {object} Frame  where things stand, and which stretch is asked for
 * @property {(at: number) => number} x  of a moment
 * @property {number} lean  of an arrow, px
 * @property {number} second  px, on the Real scale
 * @property {import("./rows.js").Rows} rows
 * @property {number} left  where the lanes begin
 * @property {number} playhead
 * @property {number} width
 * @property {(key: string) => Label | undefined} word  a label, where it is written
 * @property {number} from  px
 * @property {number} to  px
 * @property {(from: number, to: number) => boolean} touches  whether a stretch of moments is in it
 * @property {Options} options
 */

import { densities } from "./parts/densities.js";
import { labels } from "./labels.js";
import { level, levels } from "./level.js";
import { outline } from "./outline.js";
import { causes } from "./parts/causes.js";
import { graduations } from "./parts/graduations.js";
import { edge } from "./parts/edge.js";
import { heads } from "./parts/heads.js";
import { keyBands, bandWords } from "./parts/bands.js";
import { arrows } from "./parts/arrows.js";
import { ahead, axis, ghosts, laneLines, nodeLines, stays, ticks } from "./parts/frame.js";
import { flags, placeFlags, tints } from "./parts/violations.js";
import { points, restarts } from "./parts/points.js";
import { criticalSections, pauses, sectionWords, sleeps } from "./parts/sections.js";
import { stubs } from "./parts/stubs.js";
import { roomy, texts } from "./parts/texts.js";
import { motion } from "./parts/motion.js";
import { waiting, waitingRoom } from "./parts/waiting.js";
import { BUDGET, nodeCount } from "./plan.js";
import { gutter, isCompact, moved, rows } from "./rows.js";
import { ruler } from "./ruler.js";
import { FLAG } from "./scale.js";
import { stops } from "./stops.js";
import { lasts } from "./timing.js";

const MARGIN = 16;

/** Beside the playhead there is at least so much of the future, and so much where something waits there, px. */
const FUTURE = 64;
const WALL_FUTURE = 16; // nobody presses anything there
const TIME_ROOM = 120; // for the buttons at the end of the axis
const WAITING_ROOM = 144;

/** A flag that stands for others too says so beside it, px. */
const COUNTED = 32;

/**
 * @param {Marks} marks
 * @param {Options} options
 * @returns {Plan}
 */
export function layout(marks, options) {
  const compact = isCompact(marks, options);
  const known = labelsOf(marks, options, compact);
  const left = Math.max(gutter(marks, options, compact), options.gutter ?? 0);
  const { x, lean, second, before, playhead } = ruler(marks, known, options, left, compact);
  const flagged = placeFlags(marks, x, lean, left, options, FLAG.rows[compact ? "compact" : "roomy"]);
  const settled = rows(marks, options, flagged.reduce((most, f) => Math.max(most, f.row + 1), 0));
  const y = options.from ? moved(options.from.rows, settled, options.from.part) : settled;
  const waits = waitingRoom(marks, options, y);
  const { after, at } = stops(marks, x, before);
  const reach = Math.max(playhead + future(waits, options), ...(options.wall ? [] : flagged).slice(-2).map((f) => f.x + f.width + (f.count > 1 ? COUNTED : 0))) + (options.wall ? 0 : MARGIN);
  // On a wall what waits at an earlier position is in view there, too.
  const width = Math.max(reach + (options.wall ? WAITING_ROOM : 0), options.width);
  const roomyTexts = (options.zoom ?? 1) < 1 ? roomy(known, { x, lean, options }) : known;
  const all = { marks, texts: roomyTexts, flagged };
  /** @type {Map<string, Label> | undefined} */
  let byKey;
  /** @param {string} key @returns {Label | undefined} */
  const word = (key) => (byKey ??= new Map(roomyTexts.map((/** @type {Label} */ l) => [l.key, l]))).get(key);

  /** @param {number} from @param {number} to @returns {Frame} */
  const frame = (from, to) => ({
    x, lean, second, rows: y, left, playhead, width, word, from, to, options,
    touches: (a, b) => x(a) - lean <= to && x(b) + lean >= from,
  });

  return {
    axis: "x",
    width,
    height: y.height,
    head: left,
    playhead,
    reach,
    place: (seq) => x(marks.at[Math.min(seq, marks.at.length) - 1] ?? -1),
    after,
    at,
    groups(from, to) {
      const stretch = frame(from, to);
      // A window may hold more of other marks than of calls: then it is drawn one level coarser.
      for (const name of levels(level(marks, stretch))) {
        const groups = LEVELS[name](all, stretch);
        if (name === "density" || nodeCount(groups) <= BUDGET || to === Infinity) return groups;
      }
      return [];
    },
    heads: (state) => heads(marks, state, frame(0, width)),
    waiting: (state, position, carried) => waiting(marks, state, after(position), frame(0, width), carried),
    lasts: (seq) => lasts(marks, seq),
    motion: (state, position, dropped) => motion(marks, frame(0, width), after, state, position, dropped),
    edge: (left, right, now) => edge(all, { left, right, now }, frame(0, width)),
    ahead: (px) => ahead(marks, { ...frame(0, width), playhead: px }),
    lanes: () => marks.lanes.map(({ name, node }) => ({ name, node, at: y.lane(name), seen: y.seen(name) })),
    axisAt: y.axis,
    pitch: y.pitch,
    rows: y,
    outline: () => outline(marks, frame(0, width)),
  };
}

/** Returns how much is kept free beyond the playhead, px. @param {number} waits  so wide is what waits there @param {Options} options */
function future(waits, { wall, gutter }) {
  if (wall) return waits || WALL_FUTURE;
  return waits > 0 ? Math.max(WAITING_ROOM, waits) : gutter ? TIME_ROOM : FUTURE;
}

/**
 * @typedef {{marks: Marks, texts: Label[], flagged: import("./parts/violations.js").Flag[]}} All
 * @type {Record<import("./level.js").Level, (all: All, frame: Frame) => Group[]>}
 */
const LEVELS = {
  // Later marks cover earlier ones.
  full: ({ marks, texts: known, flagged }, frame) => [
    ...tints(marks, frame),
    ...ghosts(marks, frame),
    ...ticks(marks, frame),
    ...laneLines(marks, frame),
    ...pauses(marks, frame),
    ...sleeps(marks, frame),
    ...criticalSections(marks, frame),
    ...stays(frame),
    ...axis(frame),
    ...graduations(marks, frame),
    ...nodeLines(marks, frame),
    ...keyBands(marks, frame),
    ...causes(marks, frame),
    ...restarts(marks, frame),
    ...arrows(marks, frame),
    ...points(marks, frame),
    ...sectionWords(marks, frame),
    ...bandWords(marks, frame),
    ...texts(known, frame),
    ...flags(flagged, frame),
  ],
  stubs: ({ marks, texts: known, flagged }, frame) => [
    ...stubs(marks, frame),
    ...texts(known.filter((t) => t.strip === "time"), frame),
    ...flags(flagged, frame),
  ],
  density: ({ marks, texts: known, flagged }, frame) => [
    ...densities(marks, frame),
    ...texts(known.filter((t) => t.strip === "time"), frame),
    ...flags(flagged, frame),
  ],
};

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
