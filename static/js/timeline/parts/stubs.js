/**
 * Draws the middle level: for a call, a stub at its client's lane and one at the Redis
 * lane; for the rest, the marks that can still be told apart.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { path } from "../shapes.js";
import { KNOT } from "../scale.js";
import { bandsTogether, bars, faults, ground } from "./coarse.js";
import { axisLine, stays } from "./frame.js";
import { graduations } from "./graduations.js";

/** px */
const STUB = 10;

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function stubs(marks, frame) {
  const { along, across, touches } = frame;
  return [
    ...ground(marks, frame),
    ...bars(marks, frame, true),
    ...stays(frame),
    ...axisLine(frame),
    ...graduations(marks, frame),
    ...bandsTogether(marks, frame),
    ...marks.requests.filter((q) => q.fate !== "inFlight" && touches(q.to, q.to)).map((q) => {
      const at = Math.round(along(q.to) * 10) / 10;
      const sent = across.seen(q.call.client) ? `M${at} ${across.lane(q.call.client)}v${STUB}` : "";
      const done = q.fate === "delivered" ? `M${at} ${across.lane(q.call.node) - KNOT - 2}v${2 * KNOT}` : "";
      return {
        key: `${q.arrival} arrival`, seq: q.arrival, class: "request", title: q.told, ...(q.blamed ? { blamed: q.blamed } : {}),
        shapes: [path("stub", sent + done)],
      };
    }),
    ...faults(marks, frame),
  ];
}
