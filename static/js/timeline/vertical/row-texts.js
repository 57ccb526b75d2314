/**
 * Places the words in a row. Each stands where it belongs, and moves aside or gets
 * shorter if the pane is too narrow for all of them.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../shapes.js").Text} Text
 * @typedef {import("./down.js").Row} Row
 * @typedef {import("./fit.js").Choice} Choice
 * @typedef {import("./fit.js").Room} Room
 * @typedef {import("./layout.js").Frame} Frame
 * @typedef {import("./story.js").Chapter} Chapter
 * @typedef {{key: string, seq: number, title: Group["title"], blamed?: number}} About
 */

import { atOnce, shows } from "../messages.js";
import { startText, timeText } from "../../trace/time.js";
import { commandText, difference, replyText, shorten, verdictText } from "../text.js";
import { busy } from "./busy.js";
import { beside, fit } from "./fit.js";
import { KNOT, LINE, SIZE } from "./scale.js";
import { text } from "../parts/label.js";

const LEFT = 4;

/** The times leave the edge to the arrows from a cause. */
const TIMES = 12;

/** From a lane to the words beside it, where no bar stands between them. */
export const BARE = 11;

/** From the Redis lane, the first if there are several, to the words left of it. */
const CLEAR = KNOT + 5;

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function rowTexts(marks, frame) {
  const [first, end] = frame.down.columns(frame.from, frame.to);
  const bars = busy(marks, frame);
  const groups = frame.story.slice(first, end).flatMap((chapter, i) => inRow(chapter, first + i, bars, marks.began, frame));
  return [...start(marks, frame), ...groups];
}

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
function start({ start: time, began }, { down, from, options: { measure } }) {
  if (from > down.top + LINE) return [];
  return [{ key: "start", seq: 0, class: "label", title: null, hint: began ? startText(began) : undefined, shapes: [text("time", TIMES, down.top + 14, timeText(time, began), SIZE, "start", measure)] }];
}

/**
 * @param {Chapter} chapter
 * @param {number} column
 * @param {import("./busy.js").Bar[]} bars
 * @param {number} began  the wall time at which the run starts, Unix ms; 0: it has none
 * @param {Frame} frame
 * @returns {Group[]}
 */
function inRow(chapter, column, bars, began, { across, down, options: { words, measure } }) {
  const row = down.at(column);
  const mine = bars.filter((b) => b.y < row.bottom && b.y + b.height > row.top);
  /** @type {Room} */
  const room = { taken: [], busy: mine, left: LEFT, right: across.redis - CLEAR, measure };
  /** @type {Group[]} */
  const groups = [];
  /** @param {About} about @param {string} name @param {number} y @param {Choice[]} choices */
  const say = ({ key, seq, title, blamed }, name, y, choices, within = room) => {
    const found = fit(choices, name, y, within);
    if (found) groups.push({ key, seq, class: "label", title, shapes: [found], ...(blamed ? { blamed } : {}) });
  };
  /** Beside a client's lane: a text clears what stands on it. @param {string} lane @param {string[]} forms @param {number} y */
  const at = (lane, forms, y) => over(lane, forms, y).filter((c) => c.anchor !== "middle");
  /** The same, or over the lane. @param {string} lane @param {string[]} forms @param {number} y */
  const over = (lane, forms, y) => {
    const x = across.x(lane);
    const own = mine.filter((b) => b.lane === lane && b.y < y + 4 && b.y + b.height > y - SIZE);
    const right = Math.max(BARE, ...own.map((b) => b.x + b.width - x + 4));
    const left = Math.max(BARE, ...own.map((b) => x - b.x + 4));
    return beside(forms, x, { left, right }, room);
  };
  const level = row.head + 4;
  let line = row.lines + 12;

  for (const t of chapter.ticks) {
    say({ key: `${t.seq} by`, seq: t.seq, title: t.sentence }, "tick-by", row.foot - 6, [{ x: TIMES, anchor: "start", text: difference(t.by) }]);
    say({ key: `${t.seq} time`, seq: t.seq, title: null }, "time", row.foot + 15, [{ x: TIMES, anchor: "start", text: timeText(t.time, began) }]);
  }
  for (const { note, lines } of chapter.notes) {
    groups.push({
      key: `${note.seq} note`, seq: note.seq, class: "label", title: note.sentence,
      shapes: lines.map((content, i) => text("note", 20, row.top + 18 + i * LINE, content, SIZE, "start", measure)),
    });
  }
  for (const q of chapter.requests) {
    const full = commandText(q.call, q.label);
    const blamed = q.blamed ? { blamed: q.blamed } : {};
    const about = { key: `${q.seq} command`, seq: q.seq, title: q.sentence, ...blamed };
    say(about, "command", row.foot - 8, over(q.call.client, [full, full.split(" ")[0]], row.foot - 8));
    if (q.fate === "lost") {
      say({ key: `${q.arrival} lost`, seq: q.arrival, title: q.told }, "lost-word", row.foot + 4, at(q.call.client, [words.lost], row.foot + 4));
      continue;
    }
    const x = across.x(q.call.node);
    const order = q.order ? `#${q.order}` : verdictText(q, words);
    say({ key: `${q.arrival} order`, seq: q.arrival, title: q.told, ...blamed }, q.did === "reject" ? "lost-word" : "order", row.knot + 4, [
      { x: x + KNOT + 4, anchor: "start", text: order },
      { x: x - CLEAR, anchor: "end", text: order },
    ], { ...room, busy: [], right: across.width - 2 });
  }
  for (const p of chapter.replies) {
    const about = { key: `${p.seq} value`, seq: shows(p), title: p.sentence };
    const forms = [replyText(p.text)];
    if (p.fate === "received" || atOnce(p)) {
      say(about, "reply-value", level, at(p.call.client, forms, level));
      continue;
    }
    // It never got away from Redis.
    const x = across.x(p.call.node) - across.rise(p.rank);
    const here = { ...room, right: Math.max(room.right, x) };
    say(about, "reply-value", level, leftOf(x, forms, here), here);
    if (p.fate === "lost") {
      say({ key: `${p.received} lost`, seq: p.received, title: p.sentence }, "lost-word", line, leftOf(x, [words.lost], here), here);
      line += LINE;
    }
  }
  for (const k of chapter.skews) say({ key: `${k.seq} skew-by`, seq: k.seq, title: k.sentence }, "skew-by", level, at(k.lane, [difference(k.skew)], level));
  for (const p of chapter.pauses) say({ key: `${p.seq} paused`, seq: p.seq, title: p.sentence }, "pause-word", level + 4, at(p.lane, [words.paused], level + 4));

  const states = line;
  for (const b of chapter.bands) {
    if (inside(b, across, measure)) continue;
    const inTheWay = chapter.requests.length > 0 && !chapter.replies.some(atOnce);
    const x = across.redis - (inTheWay ? across.rise(0) + 6 : CLEAR);
    const forms = [`${shorten(b.value, 16)} · ${b.writer}`, `${shorten(b.value, 8)} · ${b.writer}`];
    say({ key: `${b.seq} ${b.key} value`, seq: b.seq, title: b.sentence }, "band-value", line, forms.map((form) => ({ x, anchor: "end", text: form })), { ...room, right: x });
    line += LINE;
  }
  for (const b of chapter.expired) {
    const x = across.redis - CLEAR;
    say({ key: `${b.seq} ${b.key} expired`, seq: b.seq, title: b.sentence }, "band-expired", line, [{ x, anchor: "end", text: words.expired }], { ...room, right: x });
    line += LINE;
  }
  // What a bar is, where there is room for the word; its lane's head says it, too.
  for (const s of chapter.sections) say({ key: `${s.seq} inside`, seq: s.seq, title: s.sentence }, "state", states, at(s.client, [words.inside], states).filter((c) => c.text === words.inside && c.anchor === "start"));
  for (const s of chapter.sleeps) say({ key: `${s.seq} asleep`, seq: s.seq, title: s.sentence }, "state", states, at(s.lane, [words.asleep], states).filter((c) => c.text === words.asleep && c.anchor === "start"));
  return groups;
}

/** @param {number} x @param {string[]} forms @param {Room} room */
const leftOf = (x, forms, room) => beside(forms, x, { left: BARE, right: 0 }, room).filter((c) => c.anchor === "end");

/** Reports whether a band can hold its own value and writer, one over the other.
 * @param {Marks["bands"][number]} b
 * @param {import("./across.js").Across} across
 * @param {import("../text.js").Measure} measure
 */
export function inside({ node, key, value, writer }, across, measure) {
  const room = across.band(node, key).width - 6;
  return measure(value, SIZE) <= room && measure(writer, SIZE) <= room;
}
