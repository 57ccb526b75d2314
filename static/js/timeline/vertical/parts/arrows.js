/**
 * Draws requests and replies. A request in flight is dotted along its client's lane,
 * and goes to Redis, hardly falling, where it is delivered: a late command is seen
 * waiting, and no arrow lies slanted across half the picture.
 *
 * @typedef {import("../../model.js").Marks} Marks
 * @typedef {import("../../model.js").Request} Request
 * @typedef {import("../../model.js").Reply} Reply
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../../shapes.js").Group} Group
 */

import { atOnce, shows, superseded } from "../../messages.js";
import { circle, cross, head, line } from "../../shapes.js";
import { FALL, KNOT } from "../scale.js";

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function arrows({ requests, replies }, frame) {
  const late = superseded(requests);
  return [
    ...replies.filter((p) => frame.touches(p.from, p.to)).map((p) => reply(p, frame)),
    ...requests.filter((q) => frame.touches(q.sent, q.to)).map((q) => flight(q, late.has(q), frame)),
    ...requests.filter((q) => q.fate !== "inFlight" && frame.touches(q.to, q.to)).map((q) => arrival(q, frame)),
  ];
}

/** @param {Request} q @param {boolean} late @param {Frame} frame @returns {Group} */
function flight(q, late, { across, down }) {
  const x = across.x(q.call.client);
  const [from, to] = [down.client(q.sent), down.client(q.to)];
  const along = late ? x - Math.min(12, across.pitch / 2) : x;
  const shapes = [line("flight", along, from, along, to), circle("sent", x, from, 4)];
  if (late) shapes.push(line("flight", x, from, along, from), line("flight", along, to, x, to));
  return { key: `${q.seq} flight`, seq: q.seq, class: "request", title: q.sentence, shapes, ...blame(q) };
}

/** @param {Request} q @param {Frame} frame @returns {Group} */
function arrival(q, { across, down }) {
  const x = across.x(q.call.client);
  const common = { key: `${q.arrival} arrival`, seq: q.arrival, class: "request", title: q.told, ...blame(q) };
  if (q.fate === "lost") return { ...common, class: "request lost", shapes: [cross("lost-cross", x, down.client(q.to), 6)] };
  const node = across.x(q.call.node);
  const shaft = { x1: x, y1: down.client(q.to), x2: node - KNOT, y2: down.node(q.to) };
  return {
    ...common,
    shapes: [
      line("request-arrow", shaft.x1, shaft.y1, shaft.x2, shaft.y2),
      head("request-arrow", shaft, true),
      circle("knot", node, down.node(q.to), KNOT),
      ...(q.did === "reject" ? [cross("lost-cross", node, down.node(q.to), KNOT - 1)] : []),
      ...(q.did === "write" || q.did === "commit" ? [circle("written", node, down.node(q.to), KNOT - 4)] : []),
      ...(q.did === "stage" ? [circle("staged", node, down.node(q.to), KNOT - 4)] : []),
    ],
  };
}

/** @param {Reply} p @param {Frame} frame @returns {Group} */
function reply(p, { across, down }) {
  const group = { key: `${p.seq} reply`, seq: shows(p), class: "reply", title: p.sentence, ...blame(p) };
  const node = across.x(p.call.node);
  const client = across.x(p.call.client);
  // It leaves the knot below the request's head.
  const out = { x: node - KNOT + 2, y: down.node(Math.floor(p.from)) + KNOT - 3 };
  if (atOnce(p)) {
    const shaft = { x1: out.x, y1: out.y, x2: client, y2: down.client(p.to) };
    const end = p.fate === "unheard" ? cross("lost-cross", client, shaft.y2, 5) : head("reply-head", shaft, false);
    return { ...group, shapes: [line("reply-shaft", shaft.x1, shaft.y1, shaft.x2, shaft.y2), end] };
  }
  // It waits beside the Redis lane, as a request waits on its client's.
  const along = node - across.rise(p.rank);
  const to = down.client(p.to);
  const set = [line("reply-flight", out.x, out.y, along, out.y + 4)];
  if (p.fate === "received") {
    const shaft = { x1: along, y1: to - FALL.request, x2: client, y2: to };
    return {
      ...group,
      shapes: [
        ...set, line("reply-flight", along, out.y + 4, along, shaft.y1),
        line("reply-shaft", shaft.x1, shaft.y1, shaft.x2, shaft.y2), head("reply-head", shaft, false),
      ],
    };
  }
  const wait = [...set, line("reply-flight", along, out.y + 4, along, to)];
  return { ...group, shapes: p.fate === "inFlight" ? wait : [...wait, cross("lost-cross", along, to, 5)] };
}

/** @param {{blamed: number}} message */
const blame = ({ blamed }) => (blamed ? { blamed } : {});
