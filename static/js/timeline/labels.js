/**
 * The texts that decide where the columns stand, before anyone knows where.
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
 * @property {{en: string, zh: string} | null} title
 * @property {string} class
 * @property {string} row  a strip and the lane it belongs to: "above C1"
 * @property {number} at
 * @property {number} dx  from the moment to the anchor
 * @property {"start" | "middle" | "end"} anchor
 * @property {string} text
 * @property {number} drop  below the baseline of its row
 */

import { atOnce, shows } from "./messages.js";
import { columnOf } from "./moments.js";
import { LEAN, WAITING, offset } from "./scale.js";
import { commandText, difference, replyText, seconds, shorten } from "./text.js";

export const SIZE = 12;

/**
 * @param {Marks} marks
 * @param {Options} options
 * @returns {Label[]}
 */
export function labels(marks, options) {
  return [...times(marks), ...notes(marks), ...commands(marks, options), ...replies(marks), ...orders(marks), ...states(marks, options)];
}

/**
 * What a label asks of its column.
 * @param {Label} label
 * @param {Options} options
 * @returns {import("./spacing.js").Label}
 */
export function extent(label, { measure }) {
  const width = measure(label.text, SIZE);
  const before = { start: 0, middle: width / 2, end: width }[label.anchor];
  const left = offset(label.at) + label.dx - before;
  return { row: label.row, column: columnOf(label.at), left, right: left + width };
}

/**
 * Bars and bands as wide as the words in them.
 * @param {Marks} marks
 * @param {Options} options
 * @returns {Gap[]}
 */
export function roomInside(marks, { measure, words }) {
  /** @param {number} from @param {number} to @param {number} width */
  const room = (from, to, width) => ({ from: columnOf(from), to: columnOf(to), distance: width + offset(from) - offset(to) });
  return [
    ...marks.sections.map((s) => room(s.from, Math.min(s.to, s.hatched[0]?.from ?? s.to), measure(words.inside, SIZE) + (s.ending === "crash" ? 28 : 16))),
    ...marks.bands.flatMap((b) => {
      const width = measure(bandText(b), SIZE) + 16;
      if (b.expired === Infinity) return [room(b.from, b.to, width)];
      const note = measure(words.expired, SIZE) + 16;
      return [room(b.from, b.to, width + note), room(b.expired, b.to, note)];
    }),
  ].filter((g) => g.from < g.to);
}

/** What a key band says at least: its value and its writer.
 * @param {{value: string, writer: string}} band
 */
export const bandText = ({ value, writer }) => `${shorten(value, 16)} · ${writer}`;

/** @param {Marks} marks @returns {Label[]} */
function times({ start, ticks }) {
  const common = { title: null, class: "time", row: "time", anchor: /** @type {const} */ ("start"), drop: 0 };
  return [
    { ...common, key: "start", seq: 0, at: -1, dx: 8, text: seconds(start) },
    ...ticks.flatMap((t) => [
      { ...common, key: `${t.seq} time`, seq: t.seq, at: t.at, dx: 8, text: seconds(t.time) },
      /** @type {Label} */
      ({ key: `${t.seq} by`, seq: t.seq, title: t.sentence, class: "tick-by", row: "tick", at: t.at, dx: 0, anchor: "middle", text: difference(t.by), drop: 0 }),
    ]),
  ];
}

/** @param {Marks} marks @returns {Label[]} */
function notes({ notes }) {
  return notes.map((n) => ({
    key: `${n.seq} note`, seq: n.seq, title: n.sentence, class: "note", row: "tick", at: n.at, dx: 8, anchor: "start",
    text: shorten(n.text, 24), drop: 0,
  }));
}

/**
 * A command stands over the foot of its arrow; in flight it waits at the playhead.
 * @param {Marks} marks
 * @param {Options} options
 * @returns {Label[]}
 */
function commands({ requests }, { words, measure }) {
  /** @type {Map<string, number>} */
  const waiting = new Map();
  // The newest stands nearest to the playhead; those of a life that is over wait behind it.
  return [...requests].reverse().flatMap((q) => {
    const text = commandText(q.call, q.label);
    /** @type {Label} */
    const label = {
      key: `${q.seq} command`, seq: q.seq, title: q.sentence, class: q.guilty ? "command guilty" : "command",
      row: `above ${q.call.client}`, at: q.to, dx: -LEAN, anchor: "middle", text, drop: 0,
    };
    if (q.fate === "inFlight") {
      const dx = waiting.get(q.call.client) ?? -8;
      waiting.set(q.call.client, dx - measure(text, SIZE) - 8);
      return [{ ...label, class: "command in-flight", dx, anchor: /** @type {const} */ ("end") }];
    }
    if (q.fate === "lost") {
      return [
        { ...label, dx: 0 },
        { ...label, key: `${q.arrival} lost`, seq: q.arrival, title: q.told, class: "lost-word", row: `below ${q.call.client}`, dx: 0, text: words.lost },
      ];
    }
    return [label];
  });
}

/** @param {Marks} marks @returns {Label[]} */
function replies({ replies, sections }) {
  return replies.map((p) => {
    const text = replyText(p.text);
    /** @type {Label} */
    const label = {
      key: `${p.seq} value`, seq: shows(p), title: p.sentence, class: "reply-value",
      row: `below ${p.call.client}`, at: p.to, dx: 6, anchor: "start", text, drop: 0,
    };
    const aside = { ...label, row: `replies ${p.call.node} ${p.rank}`, drop: -p.rank * WAITING.pitch };
    if (p.fate === "inFlight") return { ...aside, dx: -8, anchor: "end" };
    if (p.fate === "lost" || (p.fate === "unheard" && !atOnce(p))) return { ...aside, dx: 0, anchor: "middle" };
    // Where a critical section begins or lasts, the belief strip is in the way.
    const strip = sections.some((s) => s.client === p.call.client && s.from <= p.to && p.to <= s.to);
    return { ...label, drop: strip ? 8 : 0 };
  });
}

/** @param {Marks} marks @returns {Label[]} */
function orders({ requests }) {
  return requests.filter((q) => q.fate === "delivered").map((q) => ({
    key: `${q.arrival} order`, seq: q.arrival, title: q.told, class: q.guilty ? "order guilty" : "order",
    row: `order ${q.call.node}`, at: q.to, dx: 0, anchor: "middle", text: `#${q.order}`, drop: 0,
  }));
}

/** @param {Marks} marks @param {Options} options @returns {Label[]} */
function states({ pauses, skews }, { words }) {
  return [
    ...pauses.map((p) => /** @type {Label} */ ({
      key: `${p.seq} paused`, seq: p.seq, title: p.sentence, class: "pause-word", row: `above ${p.lane}`, at: p.from, dx: 0,
      anchor: "start", text: words.paused, drop: 0,
    })),
    ...skews.map((k) => /** @type {Label} */ ({
      key: `${k.seq} skew-by`, seq: k.seq, title: k.sentence, class: "skew-by", row: `above ${k.lane}`, at: k.at, dx: 0,
      anchor: "middle", text: difference(k.skew), drop: 0,
    })),
  ];
}
