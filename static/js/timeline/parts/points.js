/**
 * Draws what happens to a process in an instant.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../model.js").Point} Point
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../shapes.js").Shape} Shape
 */

import { circle, cross, line, path } from "../shapes.js";

/** A restart is a ring around what the new life sends first, so it lies under it.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function restarts({ restarts }, frame) {
  return each(frame, restarts, "restart", (x, y) => [circle("restart-ring", x, y, 8)]);
}

/** Two arrows that change places. @param {number} x @param {number} y */
const FAILOVER = (x, y) => `M${x - 5} ${y - 3}h9l-3 -3M${x + 5} ${y + 3}h-9l3 3`;

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function points({ crashes, failovers, dones, errors, skews }, frame) {
  const [dx, dy] = frame.axis.xy(0, 8); // a lane's cap lies across it
  return [
    ...each(frame, dones, "done", (x, y) => [line("done-cap", x - dx, y - dy, x + dx, y + dy)]),
    ...each(frame, skews, "skew", (x, y) => [circle("skew-dial", x, y, 7), path("skew-hand", `M${x} ${y - 5}V${y}H${x + 4}`)]),
    ...each(frame, errors, "failed", (x, y) => [path("failed-sign", `M${x} ${y - 10}l11 19h-22Z`), path("failed-bang", `M${x} ${y - 3}v6m0 3v1`)]),
    ...each(frame, failovers, "failover", (x, y) => [circle("failover-ring", x, y, 10), path("failover-arrows", FAILOVER(x, y))]),
    ...each(frame, crashes, "crash", (x, y) => [circle("crash-disc", x, y, 10), cross("crash-cross", x, y, 4)]),
  ];
}

/**
 * @param {Frame} frame
 * @param {Point[]} marks
 * @param {string} name
 * @param {(x: number, y: number) => Shape[]} shapes
 * @returns {Group[]}
 */
function each({ axis, along, across, touches }, marks, name, shapes) {
  return marks.filter((m) => touches(m.at, m.at) && across.seen(m.lane)).map((m) => ({
    key: `${m.seq} ${name}`, seq: m.seq, class: name, title: m.sentence, shapes: shapes(...axis.xy(along(m.at), across.lane(m.lane))),
  }));
}
