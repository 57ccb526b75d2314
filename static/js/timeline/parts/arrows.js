/**
 * Draws requests and replies. A request in flight is dotted along its client's lane,
 * and goes steeply to its node's where it is delivered: a late command is seen waiting, and no
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
 */

import { atOnce, shows, superseded } from "../messages.js";
import { columnOf } from "../moments.js";
import { circled, crossed, headed, path } from "../shapes.js";
import { KNOT } from "../scale.js";

const DOT = 4;

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function arrows({ requests, replies }, frame) {
  const { touches, across } = frame;
  const asked = requests.filter((q) => touches(q.sent, q.to));
  const answered = replies.filter((p) => touches(p.from, p.to));
  const late = superseded(requests);
  const plain = asked.filter((q) => !q.blamed);
  /** @param {(x: number, y: number, size: number) => string} shape @param {number} size @param {string[]} kinds */
  const did = (shape, size, ...kinds) =>
    asked.filter((q) => q.fate === "delivered" && kinds.includes(q.did)).map((q) => shape(...arrives(q, frame), size));
  /** @param {string} name */
  const ends = (name) => answered.filter((p) => !p.blamed && tipName(p, frame) === name).map((p) => tip(p, frame));
  return [
    ...answered.map((p) => reply(p, frame)),
    ...together("tips", "reply-head", ends("reply-head")),
    ...together("crosses", "lost-cross", ends("lost-cross")),
    ...asked.filter((q) => across.seen(q.call.client)).map((q) => flight(q, late.has(q), frame)),
    ...asked.filter((q) => q.fate === "delivered" || (q.fate === "lost" && across.seen(q.call.client))).map((q) => arrival(q, frame)),
    ...together("dots", "sent", plain.map((q) => dot(q, frame))),
    ...together("knots", "knot", plain.map((q) => knot(q, frame))),
    ...together("refusals", "lost-cross", did(crossed, KNOT - 1, "reject")),
    ...together("written", "written", did(circled, KNOT - 4, "write", "commit")),
    ...together("staged", "staged", did(circled, KNOT - 4, "stage")),
  ];
}

/** @param {string} key @param {string} name @param {string[]} parts @returns {Group[]} */
function together(key, name, parts) {
  const d = parts.join("");
  return d ? [{ key, seq: 0, class: "decor", title: null, shapes: [path(name, d)] }] : [];
}

/** Where a request touches the lane of its node. @param {Request} q @param {Frame} frame */
const arrives = (q, { axis, knot, across }) => axis.xy(knot(q.to), across.lane(q.call.node));

/** @param {Request} q @param {boolean} late @param {Frame} frame @returns {Group} */
function flight(q, late, frame) {
  const { axis, along, knot, lead, across } = frame;
  const lane = across.lane(q.call.client);
  const [from, to] = [along(q.sent), q.fate === "delivered" ? knot(q.to) - lead : along(q.to)];
  const aside = lane - across.scale.aside;
  const start = `M${axis.place(from, lane)}`;
  const d = late ? `${start}${axis.cross}${aside}${axis.run}${to}${axis.cross}${lane}` : `${start}${axis.run}${to}`;
  return own({ key: `${q.seq} flight`, seq: q.seq, class: "request", title: q.sentence }, q.blamed, path("flight", d), path("sent", dot(q, frame)));
}

/** @param {Request} q @param {Frame} frame */
function dot(q, { axis, along, across }) {
  return across.seen(q.call.client) ? circled(...axis.xy(along(q.sent), across.lane(q.call.client)), DOT) : "";
}

/** @param {Request} q @param {Frame} frame @returns {Group} */
function arrival(q, frame) {
  const { axis, along, knot: at, lead, across } = frame;
  const { client, node } = q.call;
  const common = { key: `${q.arrival} arrival`, seq: q.arrival, class: "request", title: q.told };
  if (q.fate === "lost") return { ...common, class: "request lost", shapes: [path("lost-cross", crossed(...axis.xy(along(q.to), across.lane(client)), 6))] };
  const shaft = axis.shaft(at(q.to) - lead, across.visible(client), at(q.to), across.lane(node) - KNOT);
  return own(common, q.blamed, path("request-arrow", axis.straight(shaft) + headed(shaft, true)), path("knot", knot(q, frame)));
}

/** @param {Request} q @param {Frame} frame */
const knot = (q, frame) => (q.fate === "delivered" ? circled(...arrives(q, frame), KNOT) : "");

/** Where a reply leaves its node. @param {Reply} p @param {Frame} frame */
const leaves = (p, { axis: { out }, knot, across }) => ({
  from: knot(columnOf(p.from)) + out.along, node: across.lane(p.call.node) - KNOT + out.across,
});

/** Returns the last stretch of a reply, to its client's lane.
 * @param {Reply} p
 * @param {Frame} frame
 */
export function wayBack(p, frame) {
  const { axis, along, lead, across } = frame;
  const { from, node } = leaves(p, frame);
  const [to, client] = [along(p.to), across.visible(p.call.client)];
  return atOnce(p) ? axis.shaft(from, node, to, client) : axis.shaft(to - lead, across.rest(p), to, client);
}

/** @param {Reply} p @param {Frame} frame @returns {Group} */
function reply(p, frame) {
  const { axis, along, lead, across } = frame;
  const group = { key: `${p.seq} reply`, seq: shows(p), class: "reply", title: p.sentence };
  const shaft = path("reply-shaft", axis.straight(wayBack(p, frame)));
  const end = path(tipName(p, frame), tip(p, frame));
  if (atOnce(p)) return own(group, p.blamed, shaft, end);
  // It waits beside its node's lane, as a request waits on its client's.
  const { from, node } = leaves(p, frame);
  const to = p.fate === "received" ? along(p.to) - lead : along(p.to);
  const flying = path("reply-flight", `M${axis.place(from, node)}L${axis.place(from + lead / 2, across.rest(p))}${axis.run}${to}`);
  return { ...group, shapes: p.fate === "received" ? [flying, shaft] : [flying], ...(p.blamed ? { blamed: p.blamed } : {}) };
}

/** A phone is small: there the cross of a reply is as heavy as that of a request. @param {Reply} p @param {Frame} frame */
const tipName = ({ fate }, { axis }) => (axis.name === "y" && (fate === "lost" || fate === "unheard") ? "lost-cross" : "reply-head");

/** Its head, or the cross in which it ends.
 * @param {Reply} p
 * @param {Frame} frame
 */
function tip(p, frame) {
  const { axis, along, across } = frame;
  if (p.fate === "inFlight") return "";
  if (p.fate === "lost" || (p.fate === "unheard" && !atOnce(p))) return crossed(...axis.xy(along(p.to), across.rest(p)), 5);
  if (!across.seen(p.call.client)) return "";
  const shaft = wayBack(p, frame);
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
