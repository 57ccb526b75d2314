/**
 * The words of what is still in flight: they wait over the playhead, on as few
 * lines as they fit on.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../shapes.js").Text} Text
 * @typedef {import("../layout.js").Options} Options
 * @typedef {import("./across.js").Across} Across
 * @typedef {import("./layout.js").Frame} Frame
 *
 * @typedef {{key: string, seq: number, title: Group["title"], word: Text}} Waiting
 */

import { shows } from "../messages.js";
import { commandText, replyText } from "../text.js";
import { beside, fit } from "./fit.js";
import { KNOT, LINE, SIZE } from "./scale.js";

/**
 * @param {Marks} marks
 * @param {Across} across
 * @param {Options} options
 * @returns {{height: number, groups: (frame: Frame) => Group[]}}
 */
export function waiting({ requests, replies }, across, { measure }) {
  /** @type {import("./fit.js").Room} */
  const room = { taken: [], busy: [], left: 4, right: across.redis - KNOT - 5, measure };
  let height = 0;
  /** @param {(baseline: number) => Text | null} place @returns {Text} */
  const onSomeLine = (place) => {
    for (let baseline = 0; ; baseline += LINE) {
      const word = place(baseline);
      if (!word) continue;
      height = Math.max(height, baseline + LINE);
      return word;
    }
  };
  /** @type {Waiting[]} */
  const all = [
    ...requests.filter((q) => q.fate === "inFlight").map((q) => {
      const full = commandText(q.call, q.label);
      const choices = beside([full], across.x(q.call.client), { left: 8, right: 10 }, room);
      const word = onSomeLine((y) => fit(aside(choices, room), "command in-flight", y, room));
      return { key: `${q.seq} command`, seq: q.seq, title: q.sentence, word };
    }),
    ...replies.filter((p) => p.fate === "inFlight").map((p) => {
      const x = across.x(p.call.node) - across.rise(p.rank);
      const choices = beside([replyText(p.text)], x, { left: 6, right: 6 }, room).filter((c) => c.anchor !== "start");
      const word = onSomeLine((y) => fit(choices, "reply-value", y, room));
      return { key: `${p.seq} value`, seq: shows(p), title: p.sentence, word };
    }),
  ];
  return {
    height,
    groups({ down, from, to }) {
      if (down.waiting - LINE > to || down.playhead < from) return [];
      return all.map(({ word, ...group }) => ({ ...group, class: "label", shapes: [lowered(word, down.waiting)] }));
    },
  };
}

/**
 * One place only, right of the lane if the pane allows it: many wait side by
 * side, and each must be seen to belong to its own lane.
 * @param {import("./fit.js").Choice[]} choices
 * @param {import("./fit.js").Room} room
 */
function aside(choices, { left, right, measure }) {
  const fits = choices.find(({ x, anchor, text }) => {
    if (anchor === "middle") return false;
    const width = measure(text, SIZE);
    return anchor === "start" ? x + width <= right : x - width >= left;
  });
  return fits ? [fits] : [];
}

/** @param {Text} word @param {number} by @returns {Text} */
const lowered = (word, by) => ({ ...word, y: word.y + by, box: { ...word.box, y: word.box.y + by } });
