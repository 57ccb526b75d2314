/**
 * Requests and replies. A request is dotted along its client's lane while it is
 * in flight and goes steeply down where it is delivered, so a late command is
 * seen waiting and no arrow lies slanted across half the picture.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../model.js").Request} Request
 * @typedef {import("../model.js").Reply} Reply
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { atOnce, shows } from "../messages.js";
import { columnOf } from "../moments.js";
import { circle, cross, head, line } from "../shapes.js";
import { KNOT, LEAN, WAITING } from "../scale.js";

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function arrows({ requests, replies }, frame) {
  const late = superseded(requests);
  return [
    ...replies.map((p) => reply(p, frame)),
    ...requests.map((q) => flight(q, late.has(q), frame)),
    ...requests.filter((q) => q.fate !== "inFlight").map((q) => arrival(q, frame)),
  ];
}

/**
 * Requests of a life that is over, still in flight when the next one sent its
 * own: they run beside the lane, which is no longer theirs.
 * @param {Request[]} requests
 */
function superseded(requests) {
  return new Set(requests.filter((q) => requests.some((o) => o.call.client === q.call.client && o.sent > q.sent && o.sent < q.to)));
}

/** @param {Request} q @param {boolean} late @param {Frame} frame @returns {Group} */
function flight(q, late, { x, rows }) {
  const y = rows.lane(q.call.client);
  const to = q.fate === "delivered" ? x(q.to) - LEAN : x(q.to);
  const along = late ? y - 12 : y;
  const shapes = [line("flight", x(q.sent), along, to, along), circle("sent", x(q.sent), y, 4)];
  if (late) shapes.push(line("flight", x(q.sent), y, x(q.sent), along), line("flight", to, along, to, y));
  return { key: `${q.seq} flight`, seq: q.seq, class: guilty("request", q), title: q.sentence, shapes };
}

/** @param {Request} q @param {Frame} frame @returns {Group} */
function arrival(q, { x, rows }) {
  const common = { key: `${q.arrival} arrival`, seq: q.arrival, class: guilty("request", q), title: q.told };
  if (q.fate === "lost") return { ...common, class: "request lost", shapes: [cross("lost-cross", x(q.to), rows.lane(q.call.client), 6)] };
  const node = rows.lane(q.call.node);
  const shaft = { x1: x(q.to) - LEAN, y1: rows.lane(q.call.client), x2: x(q.to), y2: node - KNOT };
  return {
    ...common,
    shapes: [
      line("request-shaft", shaft.x1, shaft.y1, shaft.x2, shaft.y2),
      head("request-head", shaft, true),
      circle("knot", x(q.to), node, KNOT),
    ],
  };
}

/** @param {Reply} p @param {Frame} frame @returns {Group} */
function reply(p, { x, rows }) {
  const group = { key: `${p.seq} reply`, seq: shows(p), class: guilty("reply", p), title: p.sentence };
  const node = rows.lane(p.call.node);
  const client = rows.lane(p.call.client);
  const shaft = { x1: x(p.from), y1: node - KNOT, x2: x(columnOf(p.from)) + LEAN, y2: client };
  if (atOnce(p)) {
    const end = p.fate === "unheard" ? cross("lost-cross", shaft.x2, client, 5) : head("reply-head", shaft, false);
    return { ...group, shapes: [line("reply-shaft", shaft.x1, shaft.y1, shaft.x2, shaft.y2), end] };
  }
  // It waits beside the Redis lane, as a request waits on its client's.
  const along = node - WAITING.rise - p.rank * WAITING.pitch;
  if (p.fate === "received") {
    const up = { x1: x(p.to) - LEAN, y1: along, x2: x(p.to), y2: client };
    return {
      ...group,
      shapes: [
        line("reply-flight", x(p.from), node - KNOT, x(p.from) + LEAN / 2, along),
        line("reply-flight", x(p.from) + LEAN / 2, along, up.x1, along),
        line("reply-shaft", up.x1, up.y1, up.x2, up.y2),
        head("reply-head", up, false),
      ],
    };
  }
  const waiting = [
    line("reply-flight", x(p.from), node - KNOT, x(p.from) + LEAN / 2, along),
    line("reply-flight", x(p.from) + LEAN / 2, along, x(p.to), along),
  ];
  return { ...group, shapes: p.fate === "inFlight" ? waiting : [...waiting, cross("lost-cross", x(p.to), along, 5)] };
}

/** @param {string} name @param {{guilty: boolean}} message */
const guilty = (name, message) => (message.guilty ? `${name} guilty` : name);
