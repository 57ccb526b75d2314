/**
 * Converts moments to px along the axis where time runs down. A column of the scale is a row of the picture, as high as
 * what happens in it: what comes later, a new client included, never moves what is there.
 *
 *   top
 *   the command                      its text
 *   foot     o-------------.         where its arrow leaves the client's lane
 *   knot                    `--> (#) where it arrives
 *   head     <- - 1 - - - - - - '    where the reply is back, and its value
 *   lines                            more words, one under the other
 *   flags                            of violations that begin here
 *   bottom
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("./layout.js").Options} Options
 *
 * @typedef {object} Chapter  what happens in a row, gathered once: each is measured and drawn without a look at the others
 * @property {Marks["requests"]} requests  delivered or lost here
 * @property {Marks["replies"]} replies  that end here
 * @property {Marks["ticks"]} ticks
 * @property {{note: Marks["notes"][number], lines: string[]}[]} notes
 * @property {Marks["skews"]} skews
 * @property {Marks["pauses"]} pauses  that begin here
 * @property {Marks["sleeps"]} sleeps  that begin here
 * @property {Marks["sections"]} sections  that begin here
 * @property {Marks["bands"]} bands  written here
 * @property {Marks["bands"]} expired  whose writer's lease ends here
 * @property {Marks["violations"]} violations  that begin here
 * @property {Marks["causes"]} causes  of what begins here
 *
 * @typedef {{top: number, foot: number, knot: number, head: number, lines: number, flags: number, bottom: number}} Place
 * @typedef {Place & Chapter} Row
 *
 * @typedef {object} Down
 * @property {(at: number) => Row} row  of a moment; the last is the playhead's
 * @property {(from: number, to: number) => Row[]} rows  those that touch a stretch of px
 * @property {import("./ruler.js").Ruler["along"]} along
 * @property {import("./ruler.js").Ruler["knot"]} knot
 * @property {import("./ruler.js").Ruler["before"]} before
 * @property {number} lead
 * @property {number} playhead
 */

import { atOnce } from "./messages.js";
import { columnOf } from "./moments.js";
import { FLAG } from "./scale.js";
import { wrapped } from "./text.js";
import { WORD } from "./type.js";

/** The first line says at which time the run starts. */
const START = 22;

/** From one line of text to the next. */
export const LINE = 18;

/** The line under the flags that says what the cause was. */
export const CAUSE = 20;

/** How far an arrow to or from Redis falls; after a loss, its client's next move stands clear of the cross. */
const FALL = { request: 8, reply: 12, lost: 18 };

/** Marks right of the lanes, of which a note keeps clear. */
const BESIDE_A_NOTE = 120;

const LINES_OF_A_NOTE = 4;

/**
 * @param {Marks} marks
 * @param {Options} options
 * @param {number} top  where the lanes begin
 * @returns {Down}
 */
export function rulerDown(marks, options, top) {
  let y = top + START;
  const rows = chapters(marks, options).map((chapter) => {
    const place = measured(chapter, y);
    y = place.bottom;
    return { ...chapter, ...place };
  });
  const playhead = y;
  rows.push({ ...empty(), top: y, foot: y, knot: y, head: y, lines: y, flags: y, bottom: y });
  const last = rows.length - 1;
  const first = { ...rows[0], top, foot: top, knot: top, head: top };
  /** @param {number} at */
  const row = (at) => (at < 0 ? first : rows[Math.min(columnOf(at), last)]);
  return {
    row, playhead, lead: FALL.request,
    rows: (from, to) => rows.slice(search(rows, (r) => r.bottom >= from), search(rows, (r) => r.top > to)),
    along: (at) => (at === columnOf(at) ? row(at).foot : row(at).head),
    knot: (at) => (at === columnOf(at) ? row(at).knot : row(at).head),
    before: (column) => row(column).top,
  };
}

/** @returns {Chapter} */
const empty = () => ({ requests: [], replies: [], ticks: [], notes: [], skews: [], pauses: [], sleeps: [], sections: [], bands: [], expired: [], violations: [], causes: [] });

/** @param {Marks} marks @param {Options} options @returns {Chapter[]} */
function chapters(marks, options) {
  const all = Array.from({ length: marks.end }, empty);
  /** @template {keyof Chapter} K @param {K} name @param {Chapter[K][number][]} found @param {(mark: Chapter[K][number]) => number} at */
  const put = (name, found, at) => {
    for (const mark of found) /** @type {unknown[] | undefined} */ (all[columnOf(at(mark))]?.[name])?.push(mark);
  };
  put("requests", marks.requests.filter((q) => q.fate !== "inFlight"), (q) => q.to);
  put("replies", marks.replies.filter((p) => p.fate !== "inFlight"), (p) => p.to);
  put("ticks", marks.ticks, (t) => t.at);
  put("skews", marks.skews, (k) => k.at);
  put("pauses", marks.pauses, (p) => p.from);
  put("sleeps", marks.sleeps, (s) => s.from);
  put("sections", marks.sections, (s) => s.from);
  put("bands", marks.bands, (b) => b.from);
  put("expired", marks.bands, (b) => b.expired);
  put("violations", marks.violations, (v) => v.from);
  // Only a cause that lies before what it led to needs an arrow.
  put("causes", marks.causes.filter((c) => columnOf(c.from) < columnOf(c.to)), (c) => c.to);
  const room = Math.max(options.width - BESIDE_A_NOTE, options.width / 2);
  const fits = (/** @type {string} */ line) => options.measure(line, WORD) <= room;
  put("notes", marks.notes.map((note) => ({ note, lines: wrapped(note.text, fits, LINES_OF_A_NOTE) })), ({ note }) => note.at);
  return all;
}

/** @param {Chapter} chapter @param {number} top @returns {Place} */
function measured(chapter, top) {
  const delivered = chapter.requests.some((q) => q.fate === "delivered");
  const back = chapter.replies.some(atOnce);
  let foot = top + 14;
  if (chapter.requests.length > 0) foot = top + 24;
  if (chapter.ticks.length > 0) foot = top + 10;
  const knot = delivered ? foot + FALL.request : foot;
  const lost = chapter.requests.some((q) => q.fate === "lost");
  const head = delivered ? knot + (back ? FALL.reply : FALL.request) : lost ? foot + FALL.lost : foot;
  const lines = head + 12 + (chapter.ticks.length > 0 ? 12 : 0);
  const noted = chapter.notes.reduce((sum, n) => sum + n.lines.length * LINE, 0);
  const flags = Math.max(lines + LINE * lineCount(chapter), top + 8 + noted);
  // Room for the cause is kept under every flag: the arrow moves on to the last thing the cause led to.
  const flagged = chapter.violations.length;
  return { top, foot, knot, head, lines, flags, bottom: flags + (flagged ? flagged * FLAG.pitch + CAUSE : 0) };
}

/** More words than fit beside the arrows.
 * @param {Chapter} chapter
 */
function lineCount({ bands, expired, sections, sleeps, replies }) {
  const states = sections.length + sleeps.length > 0 ? 1 : 0;
  const lost = replies.filter((p) => p.fate === "lost").length;
  return Math.max(bands.length, states) + expired.length + lost;
}

/** The first index at which the test holds; it holds from there on.
 * @template T
 * @param {T[]} sorted
 * @param {(one: T) => boolean} holds
 */
function search(sorted, holds) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(sorted[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
