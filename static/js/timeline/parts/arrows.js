/**
 * Draws requests and replies. A request in flight is dotted along its client's lane,
 * and goes steeply down where it is delivered: a late command is seen waiting, and no
 * arrow lies slanted across half the picture.
 *
 * An arrow is one node. Dots, knots and the heads of replies are alike, so those
 * of a window are one node together; a guilty call has its own, to be coloured.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../model.js").Request} Request
 * @typedef {import("../model.js").Reply} Reply
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../shapes.js").Shape} Shape
 * @typedef {{x1: number, y1: number, x2: number, y2: number}} Shaft
 */

import { atOnce, restsAt, shows, superseded, visible, wayUp } from "../messages.js";
import { circled, crossed, headed, path, rounded } from "../shapes.js";
import { KNOT } from "../scale.js";

const DOT = 4;

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function arrows({ requests, replies }, frame) {
  const { touches } = frame;
  const asked = requests.filter((q) => touches(q.sent, q.to));
  const answered = replies.filter((p) => touches(p.from, p.to));
  const late = superseded(requests);
  const plain = asked.filter((q) => !q.blamed);
  const dots = plain.map((q) => dot(q, frame));
  const knots = plain.map((q) => knot(q, frame));
  /** @param {string[]} kinds */
  const did = (...kinds) => asked.filter((q) => q.fate === "delivered" && kinds.includes(q.did));
  const refusals = did("reject").map((q) => crossed(frame.x(q.to), frame.rows.lane(q.call.node), KNOT - 1));
  const written = did("write", "commit").map((q) => circled(frame.x(q.to), frame.rows.lane(q.call.node), KNOT - 4));
  const staged = did("stage").map((q) => circled(frame.x(q.to), frame.rows.lane(q.call.node), KNOT - 4));
  const tips = answered.filter((p) => !p.blamed).map((p) => tip(p, frame));
  return [
    ...answered.map((p) => reply(p, frame)),
    ...together("tips", "reply-head", tips),
    ...asked.filter((q) => frame.rows.seen(q.call.client)).map((q) => flight(q, late.has(q), frame)),
    ...asked.filter((q) => q.fate === "delivered" || (q.fate === "lost" && frame.rows.seen(q.call.client))).map((q) => arrival(q, frame)),
    ...together("dots", "sent", dots),
    ...together("knots", "knot", knots),
    ...together("refusals", "lost-cross", refusals),
    ...together("written", "written", written),
    ...together("staged", "staged", staged),
  ];
}

/** @param {string} key @param {string} name @param {string[]} parts @returns {Group[]} */
function together(key, name, parts) {
  const d = parts.join("");
  return d ? [{ key, seq: 0, class: "decor", title: null, shapes: [path(name, d)] }] : [];
}

/** @param {Request} q @param {boolean} late @param {Frame} frame @returns {Group} */
function flight(q, late, frame) {
  const { x, lean, rows } = frame;
  const y = rows.lane(q.call.client);
  const [from, to] = [x(q.sent), q.fate === "delivered" ? x(q.to) - lean : x(q.to)];
  const aside = y - rows.scale.aside;
  const d = late ? `M${from} ${y}V${aside}H${to}V${y}` : `M${from} ${y}H${to}`;
  return own({ key: `${q.seq} flight`, seq: q.seq, class: "request", title: q.sentence }, q.blamed, path("flight", d), path("sent", dot(q, frame)));
}

/** @param {Request} q @param {Frame} frame */
function dot(q, { x, rows }) {
  return rows.seen(q.call.client) ? circled(x(q.sent), rows.lane(q.call.client), DOT) : "";
}

/** @param {Request} q @param {Frame} frame @returns {Group} */
function arrival(q, frame) {
  const { x, rows } = frame;
  const common = { key: `${q.arrival} arrival`, seq: q.arrival, class: "request", title: q.told };
  if (q.fate === "lost") return { ...common, class: "request lost", shapes: [path("lost-cross", crossed(x(q.to), rows.lane(q.call.client), 6))] };
  const { x1, y1, x2, y2 } = down(q, frame);
  const arrow = path("request-arrow", `M${rounded(x1)} ${rounded(y1)}L${rounded(x2)} ${y2}${headed({ x1, y1, x2, y2 }, true)}`);
  return own(common, q.blamed, arrow, path("knot", knot(q, frame)));
}

/** @param {Request} q @param {Frame} frame */
function down(q, { x, lean, rows }) {
  return { x1: x(q.to) - lean, y1: visible(rows.lane(q.call.client), rows.view), x2: x(q.to), y2: rows.lane(q.call.node) - KNOT };
}

/** @param {Request} q @param {Frame} frame */
function knot(q, { x, rows }) {
  return q.fate === "delivered" ? circled(x(q.to), rows.lane(q.call.node), KNOT) : "";
}

/** @param {Reply} p @param {Frame} frame @returns {Group} */
function reply(p, frame) {
  const group = { key: `${p.seq} reply`, seq: shows(p), class: "reply", title: p.sentence };
  const { x1, y1, x2, y2 } = wayUp(p, frame);
  const shaft = path("reply-shaft", `M${rounded(x1)} ${y1}L${rounded(x2)} ${y2}`);
  const end = path("reply-head", tip(p, frame));
  if (atOnce(p)) return own(group, p.blamed, shaft, end);
  // It waits beside the Redis lane, as a request waits on its client's.
  const { x, lean, rows } = frame;
  const node = rows.lane(p.call.node);
  const along = restsAt(p, frame);
  const to = p.fate === "received" ? x(p.to) - lean : x(p.to);
  const flying = path("reply-flight", `M${x(p.from)} ${node - KNOT}L${x(p.from) + lean / 2} ${along}H${to}`);
  return { ...group, shapes: p.fate === "received" ? [flying, shaft] : [flying], ...(p.blamed ? { blamed: p.blamed } : {}) };
}

/** Its head, or the cross in which it ends.
 * @param {Reply} p
 * @param {Frame} frame
 */
function tip(p, frame) {
  if (p.fate === "inFlight") return "";
  if (p.fate === "lost" || (p.fate === "unheard" && !atOnce(p))) return crossed(frame.x(p.to), restsAt(p, frame), 5);
  if (!frame.rows.seen(p.call.client)) return "";
  const shaft = wayUp(p, frame);
  return p.fate === "unheard" ? crossed(shaft.x2, shaft.y2, 5) : headed(shaft, false);
}

/** A guilty call has its own dot, knot or head.
 * @param {Omit<Group, "shapes">} group
 * @param {number} blamed
 * @param {Shape} shape
 * @param {Shape} decor
 * @returns {Group}
 */
const own = (group, blamed, shape, decor) => (blamed ? { ...group, blamed, shapes: [shape, decor] } : { ...group, shapes: [shape] });
