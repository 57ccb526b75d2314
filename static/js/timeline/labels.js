/**
 * Makes the texts that decide where the columns stand.
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("./layout.js").Options} Options
 * @typedef {import("./messages.js").Request} Request
 * @typedef {import("./messages.js").Reply} Reply
 * @typedef {import("./spacing.js").Gap} Gap
 *
 * @typedef {object} Label
 * @property {string} key
 * @property {number} seq
 * @property {number} since  the event from which it is said
 * @property {number} blamed  seq of the violation that has it as its cause; 0: none
 * @property {import("../trace/state.js").Sentence | null} title
 * @property {string} class
 * @property {string} strip  a strip along a lane: above, below, order, replies; or time, tick
 * @property {string} lane
 * @property {number} rank  among the rows of a strip
 * @property {number} at
 * @property {number} lean  from the moment, in leans of an arrow
 * @property {number} dx  and in px, to the anchor
 * @property {"start" | "middle" | "end"} anchor
 * @property {string} text
 * @property {string} [short]  what is said instead where there is no room for all of it
 * @property {number} drop  below the baseline of its row
 * @property {string} [hint]  what it says in full under a pointer
 */

import { atOnce, shows } from "./messages.js";
import { columnOf } from "./moments.js";
import { BEFORE, LEAN, WAITING, offset } from "./scale.js";
import { byClient, firstAfter } from "./sections.js";
import { commandText, difference, replyText, shorten, verdictText } from "./text.js";
import { startText, timeText } from "../trace/time.js";

export const SIZE = 12;

/** @type {Omit<Label, "key" | "text">} */
const PLAIN = {
  seq: 0, since: 0, blamed: 0, title: null, class: "", strip: "", lane: "", rank: 0, at: 0, lean: 0, dx: 0, anchor: "middle", drop: 0,
};

/**
 * @param {Pick<Marks, "start" | "began" | "ticks" | "notes" | "requests" | "replies" | "sections" | "pauses" | "skews">} marks
 * @param {Options} options
 * @param {boolean} compact  replies stand beside the commands
 * @returns {Label[]}
 */
export function labels(marks, options, compact) {
  return [
    ...times(marks, options), ...notes(marks), ...commands(marks, options, compact), ...replies(marks, options, compact), ...orders(marks, options),
    ...states(marks, options),
  ];
}

/**
 * Returns the width that a label needs of its column.
 * @param {Label} label
 * @param {Options} options
 * @returns {import("./spacing.js").Label}
 */
export function extent(label, { measure }) {
  const width = measure(label.text, SIZE);
  const left = offset(label.at) + label.lean * LEAN + label.dx - before(label.anchor, width);
  return { row: rowOf(label), column: columnOf(label.at), left, right: left + width };
}

/** Texts of one row must not touch. @param {Label} label */
export const rowOf = ({ strip, lane, rank }) => `${strip} ${lane} ${rank}`;

/** From the left edge of a text to its anchor.
 * @param {Label["anchor"]} anchor
 * @param {number} width
 */
export const before = (anchor, width) => (anchor === "start" ? 0 : anchor === "middle" ? width / 2 : width);

/**
 * Bars and bands as wide as the words in them.
 * @param {Marks} marks
 * @param {Options} options
 * @returns {Gap[]}
 */
export function roomInside(marks, { measure, words }) {
  /** @type {Gap[]} */
  const wanted = [];
  /** @param {number} from @param {number} to @param {number} width */
  const room = (from, to, width) => {
    if (columnOf(from) >= columnOf(to)) return;
    // An open bar ends at the playhead, which stands before the next column.
    const end = to >= marks.end ? -LEAN - BEFORE : offset(to);
    wanted.push({ from: columnOf(from), to: columnOf(to), distance: width + offset(from) - end });
  };
  for (const s of marks.sections) {
    room(s.from, Math.min(s.to, s.hatched[0]?.from ?? s.to), measure(sectionText(s, words), SIZE) + (s.ending === "crash" ? 28 : 16));
  }
  for (const b of marks.bands) {
    const width = measure(bandText(b), SIZE) + 16;
    if (b.expired === Infinity) {
      room(b.from, b.to, width);
      continue;
    }
    const note = measure(words.expired, SIZE) + 16;
    room(b.from, b.to, width + note);
    room(b.expired, b.to, note);
  }
  return wanted;
}

/** Returns the least words of a key band: its value and its writer.
 * @param {{value: string, writer: string}} band
 */
export const bandText = ({ value, writer }) => `${shorten(value, 16)} · ${writer}`;

/** Belief is by the client's own clock: where that differs, the bar says so.
 * @param {{skew: number}} section
 * @param {{inside: string}} words
 */
export const sectionText = ({ skew }, { inside }) => (skew ? `${inside} · ${difference(skew)}` : inside);

/** @param {Pick<Marks, "start" | "began" | "ticks">} marks @param {Options} options @returns {Label[]} */
function times({ start, began, ticks }, { scale }) {
  /** @type {Label} */
  const first = { ...PLAIN, key: "start", class: "time", strip: "time", anchor: "start", at: -1, dx: 8, text: timeText(start, began), ...(began ? { hint: startText(began) } : {}) };
  /** @type {Label[]} */
  const all = [first];
  for (const t of ticks) {
    all.push({ ...first, hint: undefined, key: `${t.seq} time`, seq: t.seq, since: t.seq, at: t.at, text: timeText(t.time, began) });
    // Where time is a distance, the axis has a scale and needs no break.
    if (scale === "real") continue;
    all.push({ ...PLAIN, key: `${t.seq} by`, seq: t.seq, since: t.seq, title: t.sentence, class: "tick-by", strip: "tick", at: t.at, text: difference(t.by) });
  }
  return all;
}

/** @param {Pick<Marks, "notes">} marks @returns {Label[]} */
function notes({ notes }) {
  return notes.map((n) => ({
    ...PLAIN, key: `${n.seq} note`, seq: n.seq, since: n.seq, title: n.sentence, class: "note", strip: "tick", at: n.at, dx: 8, anchor: "start",
    text: shorten(n.text, 24),
  }));
}

/**
 * A command stands over the foot of its arrow; one in flight waits at the playhead (parts/waiting.js).
 * @param {Pick<Marks, "requests">} marks
 * @param {Options} options
 * @param {boolean} compact
 * @returns {Label[]}
 */
function commands({ requests }, { words }, compact) {
  /** @type {Label[]} */
  const all = [];
  for (const q of requests) {
    if (q.fate === "inFlight") continue;
    const text = commandText(q.call, q.label);
    /** @type {Label} */
    const label = {
      ...PLAIN, key: `${q.seq} command`, seq: q.seq, since: q.arrival, blamed: q.blamed, title: q.sentence, class: "command",
      strip: "above", lane: q.call.client, at: q.to, lean: -1, text, short: text.split(" ")[0],
    };
    if (q.fate === "delivered") all.push(label);
    else if (compact) all.push({ ...label, lean: 0, text: `${text} · ${words.lost}` });
    else {
      all.push({ ...label, lean: 0 });
      all.push({
        ...label, key: `${q.arrival} lost`, seq: q.arrival, blamed: 0, title: q.told, class: "lost-word", strip: "below", lean: 0, text: words.lost,
      });
    }
  }
  return all;
}

/** @param {Pick<Marks, "requests" | "replies" | "sections">} marks @param {Options} options @param {boolean} compact @returns {Label[]} */
function replies({ requests, replies, sections }, { measure }, compact) {
  const asked = new Map(compact ? requests.map((q) => [q.call.id, q]) : []);
  const inside = byClient(sections);
  /** @type {Label[]} */
  const all = [];
  for (const p of replies) {
    if (p.fate === "inFlight") continue;
    /** @type {Label} */
    const label = {
      ...PLAIN, key: `${p.seq} value`, seq: shows(p), since: p.received || p.seq, title: p.sentence, class: "reply-value",
      strip: compact ? "above" : "below", lane: p.call.client, at: p.to, dx: 6, anchor: "start", text: replyText(p.text),
    };
    if (p.fate === "lost" || (p.fate === "unheard" && !atOnce(p))) {
      all.push({ ...label, strip: "replies", lane: p.call.node, rank: p.rank, dx: 0, anchor: "middle", drop: -p.rank * WAITING.pitch });
      continue;
    }
    const command = asked.get(p.call.id);
    if (command && atOnce(p)) {
      // Beside its command, which stands over the foot of the arrow.
      const right = measure(commandText(command.call, command.label), SIZE) / 2 - LEAN;
      label.dx = Math.max(label.dx, right + 6 - LEAN);
    }
    // Where a critical section begins or lasts, the belief strip is in the way.
    const own = inside.get(p.call.client) ?? [];
    const strip = !compact && own[firstAfter(own, p.to - 0.25)]?.from <= p.to;
    all.push(strip ? { ...label, drop: 8 } : label);
  }
  return all;
}

/** The number of a command in Redis' order, or what the storage did with a request.
 * @param {Pick<Marks, "requests">} marks
 * @param {Options} options
 * @returns {Label[]}
 */
function orders({ requests }, { words }) {
  /** @type {Label[]} */
  const all = [];
  for (const q of requests) {
    if (q.fate !== "delivered") continue;
    all.push({
      ...PLAIN, key: `${q.arrival} order`, seq: q.arrival, since: q.arrival, blamed: q.blamed, title: q.told, class: q.did === "reject" ? "lost-word" : "order",
      strip: "order", lane: q.call.node, at: q.to, text: q.order ? `#${q.order}` : verdictText(q, words),
    });
  }
  return all;
}

/** @param {Pick<Marks, "pauses" | "skews">} marks @param {Options} options @returns {Label[]} */
function states({ pauses, skews }, { words }) {
  return [
    ...pauses.map((p) => /** @type {Label} */ ({
      ...PLAIN, key: `${p.seq} paused`, seq: p.seq, since: p.seq, title: p.sentence, class: "pause-word", strip: "above", lane: p.lane,
      at: p.from, anchor: "start", text: words.paused,
    })),
    ...skews.map((k) => /** @type {Label} */ ({
      ...PLAIN, key: `${k.seq} skew-by`, seq: k.seq, since: k.seq, title: k.sentence, class: "skew-by", strip: "above", lane: k.lane,
      at: k.at, text: difference(k.skew),
    })),
  ];
}
