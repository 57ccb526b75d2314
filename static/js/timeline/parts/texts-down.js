/**
 * Places the words in a row where time runs down. Each stands where it belongs, and moves aside or gets
 * shorter if the pane is too narrow for all of them.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../shapes.js").Box} Box
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../ruler-down.js").Row} Row
 * @typedef {import("../labels.js").Label} Label
 * @typedef {import("../fit.js").Choice} Choice
 * @typedef {import("../fit.js").Room} Room
 * @typedef {import("../layout.js").Down} Frame
 * @typedef {Box & {lane: string}} Bar
 */

import { atOnce } from "../messages.js";
import { startText, timeText } from "../../trace/time.js";
import { shorten } from "../text.js";
import { beside, fit } from "../fit.js";
import { writerText } from "../labels.js";
import { LINE } from "../ruler-down.js";
import { BARE, KNOT } from "../scale.js";
import { CLOSE, WORD } from "../type.js";
import { text } from "./label.js";

const LEFT = 4;

/** The times leave the edge to the arrows from a cause. */
const TIMES = 12;

/** From the Redis lane, the first if there are several, to the words left of it. */
const CLEAR = KNOT + 5;

/** Words find their places in this order. */
const ORDER = ["time clock", "reply-value read", "time", "command", "lost-word", "order", "verdict", "reply-value", "skew-by", "pause-word"];

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function textsDown(marks, frame) {
  const bars = busy(marks, frame);
  return [...start(marks, frame), ...frame.down.rows(frame.from, frame.to).flatMap((row) => inRow(row, marks, bars, frame))];
}

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
function start({ start: time, began }, { start: top, from, options: { measure } }) {
  if (from > top + LINE) return [];
  return [{ key: "start", seq: 0, class: "label", title: null, hint: began ? startText(began) : undefined, shapes: [text("time", TIMES, top + 14, timeText(time, began), WORD, "start", measure)] }];
}

/** Finds the marks on the lanes that leave no good ground for words. @param {Marks} marks @param {Frame} frame @returns {Bar[]} */
function busy({ sections, pauses, sleeps }, { along, across, touches }) {
  const { bar, strip, frame } = across.scale;
  const right = strip.from + strip.size;
  /** @param {{from: number, to: number}[]} spans @param {(span: any) => string} lane @param {number} before @param {number} after */
  const over = (spans, lane, before, after) => spans.filter((s) => touches(s.from, s.to)).map((s) => ({
    lane: lane(s), x: across.lane(lane(s)) - before, width: before + after, y: along(s.from), height: along(s.to) - along(s.from),
  }));
  return [
    ...over(sections, (s) => s.client, bar, right), ...over(pauses, (p) => p.lane, bar + frame, right + 3), ...over(sleeps, (s) => s.lane, bar, bar),
  ];
}

/**
 * @param {Row} row
 * @param {Pick<Marks, "start" | "began">} time
 * @param {Bar[]} bars
 * @param {Frame} frame
 * @returns {Group[]}
 */
function inRow(row, { start, began }, bars, { across, down, options }) {
  const { words, measure } = options;
  const mine = bars.filter((b) => b.y < row.bottom && b.y + b.height > row.top);
  /** @type {Room} */
  const room = { taken: [], busy: mine, left: LEFT, right: across.redis - CLEAR, measure, size: WORD };
  /** @type {Group[]} */
  const groups = [];
  /** @param {Pick<Label, "key" | "seq" | "title"> & {blamed?: number}} about @param {string} name @param {number} y @param {Choice[]} choices */
  const say = ({ key, seq, title, blamed }, name, y, choices, within = room) => {
    const found = fit(choices, name, y, within);
    if (found) groups.push({ key, seq, class: "label", title, shapes: [found], ...(blamed ? { blamed } : {}) });
  };
  /** Beside a client's lane, or over it: a text clears what stands on it. @param {string} lane @param {string[]} forms @param {number} y @param {number} [size] */
  const over = (lane, forms, y, size = WORD) => {
    const x = across.lane(lane);
    const own = mine.filter((b) => b.lane === lane && b.y < y + 4 && b.y + b.height > y - size);
    const right = Math.max(BARE, ...own.map((b) => b.x + b.width - x + 4));
    const left = Math.max(BARE, ...own.map((b) => x - b.x + 4));
    return beside(forms, x, { left, right }, { ...room, size });
  };
  /** The same, but not over it. @param {string} lane @param {string[]} forms @param {number} y @param {number} [size] */
  const at = (lane, forms, y, size = WORD) => over(lane, forms, y, size).filter((c) => c.anchor !== "middle");
  const level = row.head + 4;
  let line = row.lines + 12;

  for (const { note, lines } of row.notes) {
    groups.push({
      key: `${note.seq} note`, seq: note.seq, class: "label", title: note.sentence,
      shapes: lines.map((content, i) => text("note", 20, row.top + 18 + i * LINE, content, WORD, "start", measure)),
    });
  }
  // Time is no distance here, and no strip is in the way of a reply.
  const said = down.labels({ ...row, start, began, notes: [], sections: [] }, { ...options, scale: "steps" }, false).filter((l) => l.at >= 0);
  for (const l of said.sort((a, b) => ORDER.indexOf(a.class) - ORDER.indexOf(b.class))) {
    const forms = l.short ? [l.text, l.short] : [l.text];
    const sized = { ...room, size: l.size };
    switch (l.strip === "order" ? "order" : l.strip === "replies" ? "waits" : l.class) {
      case "time clock":
      case "time": say(l, l.class, row.foot + l.size + 3, [{ x: TIMES, anchor: "start", text: l.text }], sized); break;
      case "command": say(l, l.class, row.foot - 8, over(l.lane, forms, row.foot - 8), sized); break;
      case "lost-word": say(l, l.class, row.foot + 4, at(l.lane, [l.text], row.foot + 4)); break;
      case "order": {
        const x = across.lane(l.lane);
        const choices = [{ x: x + KNOT + 4, anchor: /** @type {const} */ ("start"), text: l.text }, { x: x - CLEAR, anchor: /** @type {const} */ ("end"), text: l.text }];
        say(l, l.class, row.knot + 4, choices, { ...room, busy: [], right: across.end - 2 });
        break;
      }
      case "waits": {
        // It never got away from its node.
        const x = across.lane(l.lane) - across.rise(l.rank);
        const here = { ...room, right: Math.max(room.right, x) };
        say(l, l.class, level, leftOf(x, forms, here), here);
        const lost = row.replies.find((p) => p.fate === "lost" && l.key === `${p.seq} value`);
        if (!lost) break;
        say({ key: `${lost.received} lost`, seq: lost.received, title: lost.sentence }, "lost-word", line, leftOf(x, [words.lost], here), here);
        line += LINE;
        break;
      }
      case "reply-value":
      case "reply-value read": say(l, l.class, level, at(l.lane, forms, level, l.size), sized); break;
      case "skew-by": say(l, l.class, level, at(l.lane, forms, level)); break;
      case "pause-word": say(l, l.class, level + 4, at(l.lane, forms, level + 4)); break;
    }
  }

  const states = line;
  for (const b of row.bands) {
    if (hasRoom(b, across, measure)) continue;
    const inTheWay = row.requests.length > 0 && !row.replies.some(atOnce);
    const x = across.redis - (inTheWay ? across.rise(0) + 6 : CLEAR);
    const writer = writerText(b, words);
    const forms = [16, 8].flatMap((most) => [...(writer ? [`${shorten(b.value, most)} ${writer}`] : []), shorten(b.value, most)]);
    say({ key: `${b.seq} ${b.key} value`, seq: b.seq, title: b.sentence }, "band-value", line, forms.map((form) => ({ x, anchor: "end", text: form })), { ...room, right: x });
    line += LINE;
  }
  for (const b of row.expired) {
    const x = across.redis - CLEAR;
    say({ key: `${b.seq} ${b.key} expired`, seq: b.seq, title: b.sentence }, "band-expired", line, [{ x, anchor: "end", text: words.expired }], { ...room, right: x });
    line += LINE;
  }
  // What a bar is, where there is room for the word; its lane's head says it, too.
  /** @param {{seq: number, sentence: Group["title"]}} span @param {string} lane @param {"inside" | "asleep"} state */
  const named = ({ seq, sentence }, lane, state) =>
    say({ key: `${seq} ${state}`, seq, title: sentence }, "state", states, at(lane, [words[state]], states).filter((c) => c.text === words[state] && c.anchor === "start"));
  for (const s of row.sections) named(s, s.client, "inside");
  for (const s of row.sleeps) named(s, s.lane, "asleep");
  return groups;
}

/** @param {number} x @param {string[]} forms @param {Room} room */
const leftOf = (x, forms, room) => beside(forms, x, { left: BARE, right: 0 }, room).filter((c) => c.anchor === "end");

/** Reports whether a band can hold its own value and writer, one over the other.
 * @param {Marks["bands"][number]} b
 * @param {Frame["across"]} across
 * @param {import("../text.js").Measure} measure
 */
function hasRoom({ node, key, value, writer }, across, measure) {
  const room = across.band(node, key).size - 4;
  return measure(value, CLOSE.read) <= room && measure(writer, WORD) <= room;
}

/** Value and writer stand in a wide band, one over the other.
 * @param {Marks} marks @param {Frame} frame @returns {Group[]}
 */
export function bandWordsDown({ bands }, { knot, across, touches, options: { measure } }) {
  return bands.filter((b) => touches(b.from, b.to) && hasRoom(b, across, measure)).flatMap((b) => {
    const { at, size } = across.band(b.node, b.key);
    return (b.value === b.writer ? [b.value] : [b.value, b.writer]).map((content, i) => ({
      key: `${b.seq} ${b.node} ${b.key} word ${i}`, seq: b.seq, class: "label", title: b.sentence,
      shapes: [text(i ? "band-writer" : "band-value", at + size / 2, knot(b.from) + 18 + i * 16, content, i ? WORD : CLOSE.read, "middle", measure)],
    }));
  });
}
