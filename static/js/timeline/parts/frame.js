/**
 * What the marks stand on: the axis, the lanes and their heads, the playhead.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { circle, line, path, rect } from "../shapes.js";
import { difference, nodeText } from "../text.js";
import { keyText } from "../rows.js";
import { BAND } from "../scale.js";
import { text } from "./label.js";

/** Right of the playhead nothing has happened yet.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function ghosts({ lanes }, { rows, playhead, width }) {
  const live = lanes.filter((l) => !["crashed", "done", "failed"].includes(l.state));
  return live.map((l) => ({
    key: `ghost ${l.name}`, seq: 0, class: "ghost", title: null,
    shapes: [line(l.node ? "ghost-node" : "ghost-lane", playhead, rows.lane(l.name), width, rows.lane(l.name))],
  }));
}

/** @param {Frame} frame @returns {Group[]} */
export function axis({ left, width, rows }) {
  return [{ key: "axis", seq: 0, class: "axis", title: null, shapes: [line("axis-line", left, rows.axis, width, rows.axis)] }];
}

/** Time passes in an instant: the axis is broken there.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function ticks({ ticks, notes }, { x, rows }) {
  return [
    ...ticks.map((t) => {
      const at = x(t.at);
      return {
        key: `${t.seq} tick`, seq: t.seq, class: "tick", title: t.sentence,
        shapes: [
          line("tick-line", at, rows.axis + 24, at, rows.bottom),
          rect("axis-gap", at - 4, rows.axis - 4, 8, 8),
          path("axis-break", `M${at - 7} ${rows.axis + 6}l6 -12M${at + 1} ${rows.axis + 6}l6 -12`),
        ],
      };
    }),
    ...notes.map((n) => ({
      key: `${n.seq} pin`, seq: n.seq, class: "note-pin", title: n.sentence,
      shapes: [circle("pin", x(n.at), rows.axis, 4), line("pin-line", x(n.at), rows.axis, x(n.at), rows.axis + 20)],
    })),
  ];
}

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function laneLines({ lives, lanes }, { x, rows }) {
  const nodes = new Set(lanes.filter((l) => l.node).map((l) => l.name));
  return lives.map((l) => {
    const name = nodes.has(l.lane) ? (l.dead ? "node-down" : "node") : l.dead ? "lane-dead" : "lane";
    return {
      key: `${l.seq} ${l.lane} life`, seq: l.seq, class: "life", title: null,
      shapes: [line(name, x(l.from), rows.lane(l.lane), x(l.to), rows.lane(l.lane))],
    };
  });
}

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function heads({ lanes }, { left, rows, options: { words, measure } }) {
  return [
    { key: "head backdrop", seq: 0, class: "head", title: null, shapes: [rect("backdrop", 0, 0, left - 8, rows.height)] },
    ...lanes.map((l) => {
      const y = rows.lane(l.name);
      const width = Math.ceil(measure(l.name, 14)) + 16;
      const name = l.node
        ? [text("node-name", 8, y + 5, nodeText(l.name), 14, "start", measure)]
        : [rect("badge", 8, y - 12, width, 24, 6), text("badge-name", 8 + width / 2, y + 5, l.name, 14, "middle", measure)];
      const state = l.state && [text(`state ${l.state}`, 8, y + 28, words[l.state], 12, "start", measure)];
      const skew = l.skew && [text("skew", 8, y - 20, difference(l.skew), 12, "start", measure)];
      return { key: `head ${l.name}`, seq: 0, class: "head", title: null, shapes: [...name, ...(state || []), ...(skew || [])] };
    }),
    ...rows.bands.map((b) => ({
      key: `head ${b.node} ${b.key}`, seq: 0, class: "head", title: { en: b.key, zh: b.key },
      shapes: [text("key-name", left - 16, b.y + BAND.height / 2 + 4, keyText(b.key), 12, "end", measure)],
    })),
  ];
}

/** @param {Frame} frame @returns {Group[]} */
export function playhead({ playhead: x, rows }) {
  return [{
    key: "playhead", seq: 0, class: "playhead", title: null,
    shapes: [line("playhead-line", x, rows.axis, x, rows.bottom), rect("playhead-handle", x - 6, rows.axis - 6, 12, 12, 2)],
  }];
}
