/**
 * Places the words of the messages in flight: they wait over the playhead, on as few
 * lines as possible.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../shapes.js").Text} Text
 * @typedef {import("../layout.js").Options} Options
 * @typedef {import("./across.js").Across} Across
 * @typedef {import("./layout.js").Frame} Frame
 *
 * @typedef {import("./fit.js").Choice} Choice
 * @typedef {{key: string, seq: number, title: Group["title"], word: Text}} Waiting
 */

import { shows } from "../messages.js";
import { commandText, replyText, shorten } from "../text.js";
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
  /** On the first line where the text touches no other. @param {Choice} choice @param {string} name */
  const onSomeLine = (choice, name, within = room) => {
    for (let baseline = 0; ; baseline += LINE) {
      const word = fit([choice], name, baseline, within);
      if (!word) continue;
      height = Math.max(height, baseline + LINE);
      return word;
    }
  };
  /** @type {Waiting[]} */
  const all = [];
  for (const q of requests) {
    if (q.fate !== "inFlight") continue;
    const choice = aside(beside([commandText(q.call, q.label)], across.x(q.call.client), { left: 8, right: 10 }, room), room);
    if (choice) all.push({ key: `${q.seq} command`, seq: q.seq, title: q.sentence, word: onSomeLine(choice, "command in-flight") });
  }
  for (const p of replies) {
    if (p.fate !== "inFlight") continue;
    const x = across.x(p.call.node) - across.rise(p.rank);
    const full = replyText(p.text);
    // Left of its line: right of it, the one before it waits.
    const choices = [full, shorten(full, 4)].flatMap((text) => /** @type {Choice[]} */ ([{ x: x - 6, anchor: "end", text }, { x: x + 6, anchor: "start", text }]));
    const here = { ...room, right: Math.max(room.right, x) };
    const choice = aside(choices, here);
    if (choice) all.push({ key: `${p.seq} value`, seq: shows(p), title: p.sentence, word: onSomeLine(choice, "reply-value", here) });
  }
  return {
    height,
    groups({ down, from, to }) {
      if (down.waiting - LINE > to || down.playhead < from) return [];
      return all.map(({ word, ...group }) => ({ ...group, class: "label", shapes: [lowered(word, down.waiting)] }));
    },
  };
}

/**
 * One place only, the first that the pane allows: many wait side by side, and
 * each must be seen to belong to its own lane.
 * @param {Choice[]} choices
 * @param {import("./fit.js").Room} room
 */
const aside = (choices, { left, right, measure }) => choices.find(({ x, anchor, text }) => {
  const width = measure(text, SIZE);
  return (anchor === "start" && x >= left && x + width <= right) || (anchor === "end" && x <= right && x - width >= left);
});

/** @param {Text} word @param {number} by @returns {Text} */
const lowered = (word, by) => ({ ...word, y: word.y + by, box: { ...word.box, y: word.box.y + by } });
