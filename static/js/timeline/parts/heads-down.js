/**
 * Draws the heads of the lanes where time runs down: badges and states, the nodes and the keys. Their
 * height is constant; in narrow lanes neighbours alternate on two or three lines.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../lanes.js").Lane} Lane
 * @typedef {import("../layout.js").Down} Frame
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../shapes.js").Shape} Shape
 */

import { STORAGE } from "../../trace/state.js";
import { circle, line, path, rect } from "../shapes.js";
import { difference, labelText, nodeText, shorten } from "../text.js";
import { text } from "./label.js";
import { lanesIn } from "../lanes.js";
import { WORD } from "../type.js";

/** Their height, px. */
export const HEAD = 88;

const BADGE = 14;
const STATES = /** @type {const} */ (["waits", "asleep", "inside", "releasing", "done", "crashed", "failed", "paused"]);
const WORDS = { top: 44, pitch: 15, most: 3 };
const CRAMPED = { top: 53, pitch: 15, most: 2 };

/** @param {Marks} marks @param {import("../../trace/state.js").State} state @param {Frame} frame @returns {Group[]} */
export function headsDown({ lanes: all }, state, frame) {
  const lanes = lanesIn(all, state);
  const clients = lanes.filter((l) => !l.node);
  const nodes = lanes.filter((l) => l.node);
  const wanted = Math.max(0, ...clients.map((l) => frame.options.measure(l.name, BADGE))) + 8;
  const staggered = frame.across.pitch < wanted + 4;
  const widest = Math.min(wanted, frame.across.pitch * 2 - 2);
  const keys = keyNames(staggered, nodes.some((l) => l.state), frame);
  return [
    {
      key: "head backdrop", seq: 0, class: "head", title: null,
      shapes: [rect("backdrop", 0, 0, frame.across.end, frame.start), line("axis-line", 0, frame.start - 1, frame.across.end, frame.start - 1)],
    },
    ...clientHeads(clients, { widest, staggered, end: keys.left }, frame),
    ...nodeHeads(nodes, frame),
    ...keys.groups,
  ];
}

/**
 * @param {Lane[]} clients
 * @param {{widest: number, staggered: boolean, end: number}} room  the widest badge, whether neighbours take turns, up to where there is room for the words
 * @param {Frame} frame
 * @returns {Group[]}
 */
function clientHeads(clients, { widest, staggered, end }, { across, options: { words, measure } }) {
  const rows = staggered ? CRAMPED : WORDS;
  const longest = Math.max(...STATES.map((s) => measure(words[s], WORD)));
  const turns = Math.min(rows.most, Math.max(1, Math.ceil((longest + 6) / across.pitch)));
  const skewed = clients.some((l) => l.skew);
  /** @type {number[]} */
  const reached = Array.from({ length: turns }, () => 2);
  return clients.map((l, i) => {
    const x = across.lane(l.name);
    const badge = staggered
      ? { x: x - widest / 2, y: i % 2 ? 21 : 2, width: widest, height: 18 }
      : { x: x - widest / 2 - 4, y: 4, width: widest + 8, height: 24 };
    badge.x = Math.max(1, badge.x);
    /** @type {Shape[]} */
    const shapes = [
      rect("badge", badge.x, badge.y, badge.width, badge.height, staggered ? 4 : 6),
      text("badge-name", badge.x + badge.width / 2, badge.y + badge.height / 2 + 5, l.name, BADGE, "middle", measure),
    ];
    if (l.state) {
      const turn = i % turns;
      const word = fitted(words[l.state], x, reached[turn] + 4, end, measure);
      if (word) {
        reached[turn] = word.x + measure(word.text, WORD);
        shapes.push(text(`state ${l.state}`, word.x, rows.top + turn * rows.pitch, word.text, WORD, "start", measure));
      }
    }
    const skew = difference(l.skew);
    const under = rows.top + turns * rows.pitch + (staggered || !skewed ? 0 : rows.pitch);
    const space = Math.min(across.pitch, 2 * (x - 2)) - 6;
    const both = l.label.split(" ");
    const lines = both.length === 2 && under + rows.pitch < HEAD - 8 && measure(l.label, WORD) > space ? both : [l.label];
    lines.forEach((line, row) => {
      const y = under + row * rows.pitch;
      const who = line && y < HEAD - 8 ? labelText(line, WORD, space, measure) : "";
      if (who) shapes.push(text("lane-label", x, y, who, WORD, "middle", measure));
    });
    if (l.skew && turns < WORDS.most && !staggered && measure(skew, WORD) + 4 <= across.pitch) {
      shapes.push(text("skew", x, WORDS.top + turns * WORDS.pitch, skew, WORD, "middle", measure));
    } else if (l.skew) {
      const [cx, cy] = [badge.x + badge.width - 2, badge.y + 4];
      shapes.push(circle("skew-dial", cx, cy, 4), path("skew-hand", `M${cx} ${cy - 3}V${cy}H${cx + 2}`));
    }
    return { key: `head ${l.name}`, seq: 0, class: "head", title: l.skew ? { en: skew, zh: skew } : null, shapes, ...(l.label ? { hint: `${l.name} · ${l.label}` } : {}) };
  });
}

/**
 * A word under its badge, moved or shortened to what is free.
 * @param {string} word
 * @param {number} x
 * @param {number} from
 * @param {number} to
 * @param {import("../text.js").Measure} measure
 */
function fitted(word, x, from, to, measure) {
  for (let length = [...word].length; length > 1; length--) {
    const content = shorten(word, length);
    const width = measure(content, WORD);
    const left = Math.max(from, Math.min(x - width / 2, to - width));
    if (left + width <= to && left < x + 8) return { x: left, text: content };
  }
  return null;
}

/** All nodes by their full names or, where one does not fit, all by R1, R2 or a number.
 * @param {Lane[]} nodes
 * @param {Frame} frame
 * @returns {Group[]}
 */
function nodeHeads(nodes, { across, options: { words, measure } }) {
  const room = nodes.length > 1 ? across.lane(nodes[1].name) - across.redis - 4 : across.end;
  /** @param {string} name */
  const full = (name) => nodeText(name, words);
  /** @param {string} name */
  const number = (name) => (name === STORAGE ? words.storage[0] : name.replace(/^redis/, "") || "1");
  const forms = [full, (/** @type {string} */ name) => (name === STORAGE ? "" : "R") + number(name), number];
  const form = forms.find((f) => nodes.every((l) => measure(f(l.name), BADGE) <= room)) ?? number;
  return nodes.map((l) => {
    const x = across.lane(l.name);
    const name = form(l.name);
    const width = measure(name, BADGE);
    const left = Math.min(form === full ? x - 4 : x - width / 2, across.end - width - 2);
    /** @type {Shape[]} */
    const shapes = [text("node-name", left, 21, name, BADGE, "start", measure)];
    const state = l.state && words.down;
    if (state && measure(state, WORD) <= Math.min(room, across.end - left - 2)) shapes.push(text(`state ${l.state}`, left, HEAD - 6, state, WORD, "start", measure));
    return { key: `head ${l.name}`, seq: 0, class: "head", title: { en: full(l.name), zh: full(l.name) }, shapes };
  });
}

/** The names of the first keys over their bands.
 * @param {boolean} staggered  the badges reach farther down
 * @param {boolean} down  a node is, and says so in the last line
 * @param {Frame} frame
 * @returns {{groups: Group[], left: number}}
 */
function keyNames(staggered, down, { across, options: { measure } }) {
  const { right } = across;
  const top = staggered ? CRAMPED.top + 1 : WORDS.top;
  const most = down ? (staggered ? 1 : 2) : 3;
  const room = Math.max(right - across.redis + 8, across.end / 5);
  let left = across.redis - 6;
  const groups = across.keys.slice(0, most).map((key, i) => {
    let name = key;
    for (let length = [...key].length; length > 1 && measure(name, WORD) > room; length--) name = shorten(key, length - 1);
    const shape = text("key-name", right, top + i * WORDS.pitch, name, WORD, "end", measure);
    left = Math.min(left, shape.box.x - 4);
    return { key: `head key ${key}`, seq: 0, class: "head", title: { en: key, zh: key }, shapes: [shape] };
  });
  return { groups, left };
}
