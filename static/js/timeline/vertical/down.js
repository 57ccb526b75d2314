/**
 * Where the rows stand, and what stands where in a row:
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
 * @typedef {import("./story.js").Chapter} Chapter
 *
 * @typedef {{top: number, foot: number, knot: number, head: number, lines: number, flags: number, bottom: number}} Row
 *
 * @typedef {object} Down
 * @property {(column: number) => Row} at  the last is the playhead's
 * @property {(from: number, to: number) => [number, number]} columns  those that touch a stretch of y, the second is not among them
 * @property {(at: number) => number} client  y of a moment on a client's lane
 * @property {(at: number) => number} node  and on the Redis lane
 * @property {number} top  where the lanes begin
 * @property {number} playhead
 */

import { atOnce } from "../messages.js";
import { columnOf } from "../moments.js";
import { CAUSE, FALL, FLAG, LINE } from "./scale.js";

/** The first line says at which time the run starts. */
const START = 20;

/**
 * @param {Chapter[]} story
 * @param {number} top  where the lanes begin
 * @returns {Down}
 */
export function down(story, top) {
  let y = top + START;
  const rows = story.map((chapter) => {
    const row = measured(chapter, y);
    y = row.bottom;
    return row;
  });
  const playhead = y;
  rows.push({ top: playhead, foot: playhead, knot: playhead, head: playhead, lines: playhead, flags: playhead, bottom: playhead });
  const last = rows.length - 1;
  const first = { ...rows[0], top, foot: top, knot: top, head: top };
  /** @param {number} column */
  const at = (column) => (column < 0 ? first : rows[Math.min(column, last)]);
  return {
    at,
    columns: (from, to) => [search(rows, (r) => r.bottom >= from), search(rows, (r) => r.top > to)],
    client: (moment) => (moment === columnOf(moment) ? at(moment).foot : at(columnOf(moment)).head),
    node: (moment) => (moment === columnOf(moment) ? at(moment).knot : at(columnOf(moment)).head),
    top,
    playhead,
  };
}

/** @param {Chapter} chapter @param {number} top @returns {Row} */
function measured(chapter, top) {
  const delivered = chapter.requests.some((q) => q.fate === "delivered");
  const back = chapter.replies.some(atOnce);
  let foot = top + 14;
  if (chapter.requests.length > 0) foot = top + 22;
  if (chapter.ticks.length > 0) foot = top + 24;
  const knot = delivered ? foot + FALL.request : foot;
  const lost = chapter.requests.some((q) => q.fate === "lost");
  const head = delivered ? knot + (back ? FALL.reply : FALL.request) : lost ? foot + FALL.lost : foot;
  const lines = head + 12 + (chapter.ticks.length > 0 ? 6 : 0);
  const flags = Math.max(lines + LINE * lineCount(chapter), top + 8 + noteHeight(chapter));
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

/** @param {Chapter} chapter */
const noteHeight = ({ notes }) => notes.reduce((sum, n) => sum + n.lines.length * LINE, 0);

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
