/**
 * Draws the ground of the marks: the axis and the lanes.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { circle, line, path, rect } from "../shapes.js";

/** Lanes run on where nothing has happened yet.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function ghosts({ lanes }, { rows, playhead, width, to }) {
  if (to < playhead) return [];
  const live = lanes.filter((l) => !["crashed", "done", "failed"].includes(l.state) && rows.seen(l.name) && !l.node);
  return live.map((l) => ({
    key: `ghost ${l.name}`, seq: 0, class: "ghost", title: null,
    shapes: [line("ghost-lane", playhead, rows.lane(l.name), width, rows.lane(l.name))],
  }));
}

/** What of the ground goes on beyond the playhead.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function ahead(marks, frame) {
  const all = [...ghosts(marks, frame), ...axis({ ...frame, left: frame.playhead }), ...nodeGhosts(marks, frame)];
  return all.map((g) => ({ ...g, key: `ahead ${g.key}`, class: `${g.class} ahead` }));
}

/** @param {Frame} frame @returns {Group[]} */
export function axis({ left, width, rows }) {
  return [{ key: "axis", seq: 0, class: "axis", title: null, shapes: [line("axis-line", left, rows.axis, width, rows.axis)] }];
}

/** Scrolling lanes disappear under the parts that stay.
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function stays({ rows: { view, height, axis }, left, width }) {
  if (!view) return [];
  return [{
    key: "stays", seq: 0, class: "stays", title: null,
    shapes: [
      rect("backdrop", left, axis - 64, width, view.top - axis + 64),
      rect("backdrop", left, view.bottom, width, height - view.bottom),
      line("edge", left, view.top, width, view.top),
      line("edge", left, view.bottom, width, view.bottom),
    ],
  }];
}

/** Time passes in an instant: the axis is broken there. On the Real scale it takes its time.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function ticks({ ticks, notes }, { x, rows, touches, options: { scale } }) {
  return [
    ...ticks.filter((t) => touches(t.at, t.at)).map((t) => {
      const at = x(t.at);
      const broken = [
        rect("axis-gap", at - 4, rows.axis - 4, 8, 8),
        path("axis-break", `M${at - 7} ${rows.axis + 6}l6 -12M${at + 1} ${rows.axis + 6}l6 -12`),
      ];
      return {
        key: `${t.seq} tick`, seq: t.seq, class: "tick", title: t.sentence,
        shapes: [line("tick-line", at, rows.axis + (scale === "real" ? 0 : 24), at, rows.bottom), ...(scale === "real" ? [] : broken)],
      };
    }),
    ...notes.filter((n) => touches(n.at, n.at)).map((n) => ({
      key: `${n.seq} pin`, seq: n.seq, class: "note-pin", title: n.sentence,
      shapes: [circle("pin", x(n.at), rows.axis, 4), line("pin-line", x(n.at), rows.axis, x(n.at), rows.axis + 20)],
    })),
  ];
}

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function laneLines({ lives, lanes }, frame) {
  return lines(lives, new Set(lanes.filter((l) => !l.node).map((l) => l.name)), frame, (dead) => (dead ? "lane-dead" : "lane"));
}

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function nodeLines({ lives, lanes }, frame) {
  const nodes = lanes.filter((l) => l.node);
  return [
    ...nodeGhosts({ lanes }, frame),
    ...lines(lives, new Set(nodes.map((l) => l.name)), frame, (dead) => (dead ? "node-down" : "node")),
  ];
}

/** @param {Pick<Marks, "lanes">} marks @param {Frame} frame @returns {Group[]} */
function nodeGhosts({ lanes }, { rows, playhead, width, to }) {
  if (to < playhead) return [];
  return lanes.filter((l) => l.node && !l.state).map((l) => ({
    key: `ghost ${l.name}`, seq: 0, class: "ghost", title: null,
    shapes: [line("ghost-node", playhead, rows.lane(l.name), width, rows.lane(l.name))],
  }));
}

/**
 * @param {Marks["lives"]} lives
 * @param {Set<string>} among
 * @param {Frame} frame
 * @param {(dead: boolean) => string} name
 * @returns {Group[]}
 */
function lines(lives, among, { x, rows, touches }, name) {
  return lives.filter((l) => among.has(l.lane) && touches(l.from, l.to)).map((l) => ({
    key: `${l.seq} ${l.lane} life`, seq: 0, class: "life", title: null,
    shapes: [line(name(l.dead), x(l.from), rows.lane(l.lane), x(l.to), rows.lane(l.lane))],
  }));
}
