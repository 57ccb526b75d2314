/**
 * Draws the coarsest level: the density of calls of each lane, and the marks of every level.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { KNOT } from "../scale.js";
import { bandsTogether, bars, faults, ground, merged } from "./coarse.js";
import { axisLine, stays } from "./frame.js";
import { graduations } from "./graduations.js";

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function densities(marks, frame) {
  const { along, across, touches } = frame;
  /** @type {Map<string, Set<number>>} one mark for all that fall on one px */
  const lanes = new Map();
  let guilty = "";
  for (const q of marks.requests) {
    if (q.fate === "inFlight" || !touches(q.to, q.to)) continue;
    const at = Math.round(along(q.to));
    if (q.blamed) guilty += `M${at} ${across.lane(q.call.node) - KNOT - 4}v${2 * KNOT + 8}`;
    for (const lane of q.fate === "delivered" ? [q.call.client, q.call.node] : [q.call.client]) {
      if (!across.seen(lane)) continue;
      const marked = lanes.get(lane);
      if (marked) marked.add(at);
      else lanes.set(lane, new Set([at]));
    }
  }
  const nodes = new Set(marks.lanes.filter((l) => l.node).map((l) => l.name));
  return [
    ...ground(marks, frame),
    ...bars(marks, frame, false),
    ...stays(frame),
    ...axisLine(frame),
    ...graduations(marks, frame),
    ...bandsTogether(marks, frame),
    ...[...lanes].flatMap(([lane, marked]) => {
      const half = nodes.has(lane) ? KNOT + 1 : 4;
      return merged(`calls ${lane}`, "density", [...marked].map((at) => `M${at} ${across.lane(lane) - half}v${2 * half}`).join(""));
    }),
    ...merged("guilty calls", "density guilty-mark", guilty),
    ...faults(marks, frame),
  ];
}
