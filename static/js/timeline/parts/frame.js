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
export function ghosts({ lanes }, frame) {
  return runOn(lanes.filter((l) => !["crashed", "done", "failed"].includes(l.state) && frame.across.seen(l.name) && !l.node), "ghost-lane", frame);
}

/** @param {Pick<Marks, "lanes">} marks @param {Frame} frame @returns {Group[]} */
const nodeGhosts = ({ lanes }, frame) => runOn(lanes.filter((l) => l.node && !l.state), "ghost-node", frame);

/** @param {Marks["lanes"]} lanes @param {string} name @param {Frame} frame @returns {Group[]} */
function runOn(lanes, name, { axis, across, playhead, end, to }) {
  if (to < playhead) return [];
  return lanes.map((l) => ({
    key: `ghost ${l.name}`, seq: 0, class: "ghost", title: null, shapes: [axis.line(name, playhead, across.lane(l.name), end, across.lane(l.name))],
  }));
}

/** What of the ground goes on beyond the playhead.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function ahead(marks, frame) {
  const all = [...ghosts(marks, frame), ...axisLine({ ...frame, start: frame.playhead }), ...nodeGhosts(marks, frame)];
  return all.map((g) => ({ ...g, key: `ahead ${g.key}`, class: `${g.class} ahead` }));
}

/** Where time runs down the edge of the heads is all of it. @param {Frame} frame @returns {Group[]} */
export function axisLine({ start, end, rows }) {
  return rows ? [{ key: "axis", seq: 0, class: "axis", title: null, shapes: [line("axis-line", start, rows.axis, end, rows.axis)] }] : [];
}

/** Scrolling lanes disappear under the parts that stay.
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function stays({ rows, start, end }) {
  if (!rows?.view) return [];
  const { view, axis } = rows;
  return [{
    key: "stays", seq: 0, class: "stays", title: null,
    shapes: [
      rect("backdrop", start, axis - 64, end, view.top - axis + 64),
      rect("backdrop", start, view.bottom, end, rows.end - view.bottom),
      line("edge", start, view.top, end, view.top),
      line("edge", start, view.bottom, end, view.bottom),
    ],
  }];
}

/** Time passes in an instant: the axis is broken there. On the Real scale it takes its time.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function ticks({ ticks, notes }, { axis, along, across: { body }, rows, touches, options: { scale } }) {
  const breaks = rows && scale !== "real";
  return [
    ...ticks.filter((t) => touches(t.at, t.at)).map((t) => {
      const at = along(t.at);
      const broken = !breaks ? [] : [
        rect("axis-gap", at - 4, rows.axis - 4, 8, 8),
        path("axis-break", `M${at - 7} ${rows.axis + 6}l6 -12M${at + 1} ${rows.axis + 6}l6 -12`),
      ];
      return {
        key: `${t.seq} tick`, seq: t.seq, class: "tick", title: t.sentence,
        shapes: [axis.line("tick-line", at, body.from, at, body.to), ...broken],
      };
    }),
    ...notes.filter((n) => touches(n.at, n.at)).map((n) => ({
      key: `${n.seq} pin`, seq: n.seq, class: "note-pin", title: n.sentence,
      shapes: rows
        ? [circle("pin", along(n.at), rows.axis, 4), line("pin-line", along(n.at), rows.axis, along(n.at), rows.axis + 20)]
        : [circle("pin", 10, along(n.at), 4)],
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

/**
 * @param {Marks["lives"]} lives
 * @param {Set<string>} among
 * @param {Frame} frame
 * @param {(dead: boolean) => string} name
 * @returns {Group[]}
 */
function lines(lives, among, { axis, along, across, touches }, name) {
  return lives.filter((l) => among.has(l.lane) && touches(l.from, l.to)).map((l) => ({
    key: `${l.seq} ${l.lane} life`, seq: 0, class: "life", title: null,
    shapes: [axis.line(name(l.dead), along(l.from), across.lane(l.lane), along(l.to), across.lane(l.lane))],
  }));
}
