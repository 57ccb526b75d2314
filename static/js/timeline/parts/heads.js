/**
 * Draws the heads of the lanes: names, and states at the playhead.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../../trace/state.js").State} State
 * @typedef {import("../lanes.js").Lane} Lane
 * @typedef {import("../layout.js").Right} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { lanesIn } from "../lanes.js";
import { BESIDE, keyText, labelRoom, stateless } from "../rows.js";
import { line, rect } from "../shapes.js";
import { difference, labelText, nodeText } from "../text.js";
import { WORD, typeOf } from "../type.js";
import { text } from "./label.js";

/** The least distance of lanes that have room for two lines under the name, px. */
const FAR = 100;

/** What the button of a lane's menu takes of the head, px. */
const MORE = 44;

/** @param {Marks} marks @param {State} state @param {Frame} frame @returns {Group[]} */
export function heads({ lanes: all }, state, frame) {
  const lanes = lanesIn(all, state);
  const { start: left, rows } = frame;
  const { view, end, axis } = rows;
  const nodes = lanes.filter((l) => l.node);
  return [
    group("head backdrop", [rect("backdrop", 0, 0, left - 8, end)]),
    ...lanes.filter((l) => !l.node && rows.seen(l.name)).map((l) => clientHead(l, Boolean(state.clients[l.name]), frame)),
    ...(view ? [group("head edges", [line("edge", 0, view.top, left - 8, view.top), line("edge", 0, view.bottom, left - 8, view.bottom)])] : []),
    ...nodes.map((l) => nodeHead(l, frame)),
    ...rows.bands.map((b) => group(`head ${b.node} ${b.key}`, [
      frame.options.gutter
        ? text("key-name", left - 16, b.at + b.size / 2 + 5, keyText(b.key), WORD, "end", frame.options.measure)
        : text("key-name", 8, b.at + b.size / 2 + 5, keyText(b.key), WORD, "start", frame.options.measure),
    ], { en: b.key, zh: b.key })),
    group("head corner", [line("axis-line", left - 8, axis, left, axis)]),
  ];
}

/** @param {Lane} lane @param {boolean} born @param {Frame} frame */
function clientHead({ name, state, skew, label }, born, { start: left, rows, options }) {
  const { words: states, measure } = options;
  const type = typeOf(rows.compact);
  const y = rows.lane(name);
  const width = Math.ceil(measure(name, type.name)) + 16;
  const beside = 8 + width + BESIDE;
  const half = rows.compact ? 12 : 14;
  const shapes = [rect("badge", 8, y - half, width, 2 * half, 6), text("badge-name", 8 + width / 2, y + 5, name, type.name, "middle", measure)];
  // The state stands beside the name, and a skew under it: over or under the name it would read as the neighbour's.
  // Who the client is stands under the name and the state, in close lanes beside the name.
  const said = state && !stateless(options) ? states[state] : "";
  const twoLines = said && skew || rows.compact && label;
  if (said) shapes.push(text(`state ${state}`, beside, twoLines ? y - 2 : y + 5, said, type.state, "start", measure));
  if (skew && rows.compact && label) shapes.push(text("skew", beside + (said ? measure(said, type.state) + 6 : 0), y - 2, difference(skew), WORD, "start", measure));
  else if (skew) shapes.push(text("skew", beside, twoLines ? y + 13 : y + 5, difference(skew), WORD, "start", measure));
  const at = rows.compact ? { x: beside, y: said || skew ? y + 13 : y + 5 } : { x: 8, y: y + 30 };
  const room = Math.min(labelRoom(options), left - 8 - (rows.compact && options.gutter ? MORE : 0) - at.x);
  // Far lanes have room for the address and, under it, the name.
  const words = label.split(" ");
  const lines = rows.pitch >= FAR && words.length === 2 && measure(label, WORD) > room ? words : [label];
  lines.forEach((line, i) => {
    const who = line && labelText(line, WORD, room, measure);
    if (who) shapes.push(text("lane-label", at.x, at.y + 16 * i, who, WORD, "start", measure));
  });
  const gone = state === "crashed" || state === "done" ? " gone" : "";
  return { ...group(`head ${name}`, shapes, null, born ? `head${gone}` : "head unborn"), ...(label ? { hint: `${name} · ${label}` } : {}) };
}

/** @param {Lane} lane @param {Frame} frame */
function nodeHead({ name, state }, { rows, options: { words, measure } }) {
  const y = rows.lane(name);
  const shapes = [text("node-name", 8, y + 5, nodeText(name, words), typeOf(rows.compact).name + 1, "start", measure)];
  if (state) shapes.push(text("state crashed", 8, y + 21, words.down, WORD, "start", measure));
  return group(`head ${name}`, shapes);
}

/** @param {string} key @param {Group["shapes"]} shapes @param {Group["title"]} title @param {string} name @returns {Group} */
const group = (key, shapes, title = null, name = "head") => ({ key, seq: 0, class: name, title, layer: "heads", shapes });
