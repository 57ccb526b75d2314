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
 * @property {number} size  px, of its letters
 * @property {string} strip  a strip along a lane: above, order, replies; or time, note
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
import { difference, fill, isValue, replyText, shorten, verbText, verdictText } from "./text.js";
import { startText, timeText } from "../trace/time.js";
import { WORD, typeOf } from "./type.js";

/** @type {Omit<Label, "key" | "text">} */
const PLAIN = {
  seq: 0, since: 0, blamed: 0, title: null, class: "", size: WORD, strip: "", lane: "", rank: 0, at: 0, lean: 0, dx: 0, anchor: "middle", drop: 0,
};

/**
 * @param {Pick<Marks, "start" | "began" | "ticks" | "notes" | "requests" | "replies" | "sections" | "pauses" | "skews">} marks
 * @param {Options} options
 * @param {boolean} close  rows stand close
 * @returns {Label[]}
 */
export function labels(marks, options, close) {
  const type = typeOf(close);
  return [
    ...times(marks, type), ...notes(marks), ...commands(marks, options, type), ...replies(marks, options, type), ...orders(marks, options),
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
  const width = measure(label.text, label.size);
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
 * @param {boolean} close  rows stand close
 * @param {boolean} under  who wrote a key stands under its band
 * @returns {Gap[]}
 */
export function roomInside(marks, { measure, words }, close, under) {
  const type = typeOf(close);
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
    room(s.from, Math.min(s.to, s.hatched[0]?.from ?? s.to), measure(sectionText(s, words), type.inside) + (s.ending === "crash" ? 28 : 16));
  }
  for (const b of marks.bands) {
    const width = bandRoom(b, words, close, under, measure) + 16;
    if (b.expired === Infinity) {
      room(b.from, b.to, width);
      continue;
    }
    const note = measure(words.expired, type.inside) + 16;
    room(b.from, b.to, width + note);
    room(b.expired, b.to, note);
  }
  return wanted;
}

/** From the value of a key to its writer, in one line, px. */
export const BY = 8;

/** @param {{value: string}} band */
export const valueText = ({ value }) => shorten(value, 16);

/** Says who wrote a key, unless its value says that. @param {{value: string, writer: string}} band @param {{by: string}} words */
export const writerText = ({ value, writer }, { by }) => (value === writer || !writer ? "" : fill(by, { client: writer }));

/** Returns how long the words of a band are, px: its value, and who wrote it.
 * @param {{value: string, writer: string}} band @param {{by: string}} words @param {boolean} close @param {boolean} under @param {Options["measure"]} measure
 */
export function bandRoom(band, words, close, under, measure) {
  const [value, writer] = [measure(valueText(band), typeOf(close).value), measure(writerText(band, words), WORD)];
  return under ? Math.max(value, writer) : value + (writer ? BY + writer : 0);
}

/** Belief is by the client's own clock: where that differs, the bar says so.
 * @param {{skew: number}} section
 * @param {{inside: string}} words
 */
export const sectionText = ({ skew }, { inside }) => (skew ? `${inside} · ${difference(skew)}` : inside);

/** Reports whether nothing happens between a tick and another one. @param {{at: number} | undefined} next @param {{at: number}} tick */
export const follows = (next, tick) => next !== undefined && columnOf(next.at) === columnOf(tick.at) + 1;

/** Of ticks that follow each other the last says the time: it is the one that counts.
 * @param {Pick<Marks, "start" | "began" | "ticks">} marks @param {import("./type.js").Type} type @returns {Label[]}
 */
function times({ start, began, ticks }, { clock }) {
  /** @type {Label} */
  const first = { ...PLAIN, key: "start", class: "time", strip: "time", anchor: "start", at: -1, dx: 8, text: timeText(start, began), ...(began ? { hint: startText(began) } : {}) };
  const last = ticks.filter((t, i) => !follows(ticks[i + 1], t));
  return [first, ...last.map((t) => ({
    ...first, hint: undefined, key: `${t.seq} time`, seq: t.seq, since: t.seq, title: t.sentence, class: "time clock", size: clock, at: t.at, text: timeText(t.time, began),
  }))];
}

/** @param {Pick<Marks, "notes">} marks @returns {Label[]} */
function notes({ notes }) {
  return notes.map((n) => ({
    ...PLAIN, key: `${n.seq} note`, seq: n.seq, since: n.seq, title: n.sentence, class: "note", strip: "note", at: n.at, dx: 8, anchor: "start",
    text: shorten(n.text, 24),
  }));
}

/** From the foot of an arrow back to where its command begins, px. */
const FOOT = 4;

/** From a command to the reply beside it, px. */
const ANSWER = 8;

/**
 * A command stands over the foot of its arrow; one in flight waits at the playhead (parts/waiting.js). What it writes is
 * told by the band.
 * @param {Pick<Marks, "requests">} marks
 * @param {Options} options
 * @param {import("./type.js").Type} type
 * @returns {Label[]}
 */
function commands({ requests }, { measure, words }, { command: size }) {
  /** @type {Label[]} */
  const all = [];
  for (const q of requests) {
    if (q.fate === "inFlight") continue;
    const text = verbText(q.call, q.label);
    const lost = q.fate === "lost";
    /** @type {Label} */
    const label = {
      ...PLAIN, key: `${q.seq} command`, seq: q.seq, since: q.arrival, blamed: q.blamed, title: q.sentence, class: "command", size,
      strip: "above", lane: q.call.client, at: q.to, lean: lost ? 0 : -1, dx: -FOOT, anchor: "start", text, short: text.split(" ")[0],
    };
    all.push(label);
    if (!lost) continue;
    all.push({
      ...label, key: `${q.arrival} lost`, seq: q.arrival, blamed: 0, title: q.told, class: "lost-word", size: WORD, dx: measure(text, size) + ANSWER - FOOT, text: words.lost, short: undefined,
    });
  }
  return all;
}

/**
 * A reply stands beside its command, over where it is back.
 * @param {Pick<Marks, "requests" | "replies">} marks @param {Options} options @param {import("./type.js").Type} type @returns {Label[]}
 */
function replies({ requests, replies }, { measure }, type) {
  const asked = new Map(requests.map((q) => [q.call.id, q]));
  /** @type {Label[]} */
  const all = [];
  for (const p of replies) {
    if (p.fate === "inFlight") continue;
    const read = isValue(p.text);
    /** @type {Label} */
    const label = {
      ...PLAIN, key: `${p.seq} value`, seq: shows(p), since: p.received || p.seq, title: p.sentence, class: read ? "reply-value read" : "reply-value",
      size: read ? type.read : type.command, strip: "above", lane: p.call.client, at: p.to, dx: -FOOT, anchor: "start", text: replyText(p.text),
    };
    if (p.fate === "lost" || (p.fate === "unheard" && !atOnce(p))) {
      all.push({ ...label, strip: "replies", lane: p.call.node, rank: p.rank, dx: 0, anchor: "middle", drop: -p.rank * WAITING.pitch });
      continue;
    }
    const command = asked.get(p.call.id);
    if (command && atOnce(p)) {
      // Beside its command, which stands over the foot of the arrow.
      label.lean = -2; // from its foot
      label.dx = Math.max(2 * LEAN, measure(verbText(command.call, command.label), type.command) + ANSWER) - FOOT;
    }
    all.push(label);
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
      ...PLAIN, key: `${q.arrival} order`, seq: q.arrival, since: q.arrival, blamed: q.blamed, title: q.told, class: q.did === "reject" ? "lost-word" : q.order ? "order" : "verdict",
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
