/**
 * The timeline for a portrait phone: time runs downwards, a row per moment, and
 * a lane is a column. The pane's width is all there is, so everything across is
 * fitted into it, and everything down takes the room that its texts need. How
 * high a row is follows from what happens in it alone: what comes later, a new
 * client included, never moves what is there.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../../trace/state.js").State} State
 * @typedef {import("../layout.js").Options} Options
 * @typedef {import("./across.js").Across} Across
 * @typedef {import("./down.js").Down} Down
 * @typedef {import("./story.js").Chapter} Chapter
 *
 * @typedef {object} Plan
 * @property {"y"} axis  the direction of time
 * @property {number} width
 * @property {number} height
 * @property {number} playhead  y
 * @property {number} reach  y up to which there is something to see
 * @property {(seq: number) => number} place  y of an event
 * @property {(position: number) => number} after  y of the playhead at a position
 * @property {(y: number) => number} at  the position at which the playhead stands there
 * @property {number} head
 * @property {(state: State) => Group[]} heads
 * @property {(state: State, position: number, carried?: Set<number>) => Group[]} waiting
 * @property {(seq: number) => number} lasts
 * @property {(state: State, position: number) => import("../plan.js").Motion} motion
 * @property {(at: number) => Group[]} ahead
 * @property {() => {name: string, node: boolean, at: number, seen: boolean}[]} lanes
 * @property {number} pitch
 * @property {(from: number, to: number) => Group[]} groups  what touches that stretch of y, and what always shows
 *
 * @typedef {object} Frame  where things stand, and which stretch of y is asked for
 * @property {Across} across
 * @property {Down} down
 * @property {Chapter[]} story
 * @property {number} playhead
 * @property {number} height
 * @property {number} from
 * @property {number} to
 * @property {(from: number, to: number) => boolean} touches  whether a stretch of moments is in it
 * @property {Options} options
 */

import { lanesIn } from "../lanes.js";
import { columnOf } from "../moments.js";
import { stops } from "../stops.js";
import { lasts } from "../timing.js";
import { across } from "./across.js";
import { down } from "./down.js";
import { ahead, ghosts, laneLines, ticks } from "./parts/frame.js";
import { heads } from "./parts/heads.js";
import { keyBands } from "./parts/bands.js";
import { arrows } from "./parts/arrows.js";
import { points, restarts } from "./parts/points.js";
import { criticalSections, pauses, sleeps } from "./parts/sections.js";
import { causes, flags, tints } from "./parts/violations.js";
import { motion } from "./parts/motion.js";
import { places } from "./places.js";
import { rowTexts } from "./row-texts.js";
import { BELOW, BUTTONS, HEAD } from "./scale.js";
import { story } from "./story.js";
import { waiting, waitingRoom } from "./waiting.js";

/** A pane that is narrower, or not laid out yet, scrolls sideways. */
const LEAST = 288;

/** From the playhead to the lower edge: a stretch of the future. */
const FUTURE = 48;

/**
 * @param {Marks} marks
 * @param {Options} given
 * @returns {Plan}
 */
export function layout(marks, given) {
  const options = { ...given, width: Math.max(LEAST, given.width) };
  const told = story(marks, options);
  const x = across(marks, options);
  const head = HEAD + (options.gutter ? BUTTONS : 0);
  const y = down(told, head);
  const waits = waitingRoom(marks, marks.state, { across: x, options });
  const below = Math.max(FUTURE, waits + 16) + (options.gutter ? BELOW : 0);
  const height = y.playhead + below;
  const { after, at } = stops(marks, y.node, (column) => y.at(column).top);

  /** @param {number} from @param {number} to @returns {Frame} */
  const stretch = (from, to) => ({
    across: x, down: y, story: told, playhead: y.playhead, height, from, to, options,
    touches: (a, b) => y.at(columnOf(a)).top <= to && y.at(columnOf(b)).bottom >= from,
  });

  return {
    axis: "y",
    width: x.width,
    height,
    playhead: y.playhead,
    reach: y.playhead + below,
    place: places(marks, y),
    head,
    after,
    at,
    waiting: (state, position, carried) => waiting(marks, state, after(position), stretch(0, height), carried),
    lasts: (seq) => lasts(marks, seq),
    motion: (state, position) => motion(marks, stretch(0, height), after, state, position),
    ahead: (px) => ahead(marks, { ...stretch(0, height), playhead: px }),
    lanes: () => marks.lanes.map(({ name, node }) => ({ name, node, at: x.x(name), seen: true })),
    pitch: x.pitch,
    heads: (state) => heads({ ...marks, lanes: lanesIn(marks.lanes, state) }, stretch(0, height)),
    groups(from, to) {
      const frame = stretch(from, to);
      // Later marks cover earlier ones.
      return [
        ...tints(marks, frame),
        ...ghosts(marks, frame),
        ...ticks(marks, frame),
        ...laneLines(marks, frame),
        ...pauses(marks, frame),
        ...sleeps(marks, frame),
        ...criticalSections(marks, frame),
        ...causes(marks, frame),
        ...restarts(marks, frame),
        ...keyBands(marks, frame),
        ...arrows(marks, frame),
        ...points(marks, frame),
        ...rowTexts(marks, frame),
        ...flags(frame),
        ...heads(marks, frame),
      ];
    },
  };
}
