/**
 * Gathers what happens in each row once: a row can then be measured and drawn without
 * a look at the others.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../layout.js").Options} Options
 *
 * @typedef {object} Chapter
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
 */

import { columnOf } from "../moments.js";
import { SIZE } from "./scale.js";

/** Marks right of the lanes, of which a note keeps clear. */
const BESIDE_A_NOTE = 120;

const LINES_OF_A_NOTE = 4;

/**
 * @param {Marks} marks
 * @param {Options} options
 * @returns {Chapter[]}
 */
export function story(marks, { width, measure }) {
  /** @returns {Chapter} */
  const empty = () => ({
    requests: [], replies: [], ticks: [], notes: [], skews: [], pauses: [], sleeps: [], sections: [],
    bands: [], expired: [], violations: [], causes: [],
  });
  const chapters = Array.from({ length: marks.end }, empty);
  /** @template T @param {T[]} found @param {(mark: T) => number} at @param {(chapter: Chapter) => T[]} into */
  const tell = (found, at, into) => {
    for (const mark of found) {
      const chapter = chapters[columnOf(at(mark))];
      if (chapter) into(chapter).push(mark);
    }
  };
  tell(marks.requests.filter((q) => q.fate !== "inFlight"), (q) => q.to, (c) => c.requests);
  tell(marks.replies.filter((p) => p.fate !== "inFlight"), (p) => p.to, (c) => c.replies);
  tell(marks.ticks, (t) => t.at, (c) => c.ticks);
  tell(marks.skews, (k) => k.at, (c) => c.skews);
  tell(marks.pauses, (p) => p.from, (c) => c.pauses);
  tell(marks.sleeps, (s) => s.from, (c) => c.sleeps);
  tell(marks.sections, (s) => s.from, (c) => c.sections);
  tell(marks.bands, (b) => b.from, (c) => c.bands);
  tell(marks.bands, (b) => b.expired, (c) => c.expired);
  tell(marks.violations, (v) => v.from, (c) => c.violations);
  // Only a cause that lies before what it led to needs an arrow.
  tell(marks.causes.filter((c) => columnOf(c.from) < columnOf(c.to)), (c) => c.to, (c) => c.causes);
  const room = Math.max(width - BESIDE_A_NOTE, width / 2);
  for (const note of marks.notes) {
    chapters[columnOf(note.at)]?.notes.push({ note, lines: wrap(note.text, (text) => measure(text, SIZE) <= room) });
  }
  return chapters;
}

/**
 * A text in lines, broken at spaces and, where a word is too long or the script
 * has none, between characters.
 * @param {string} text
 * @param {(line: string) => boolean} fits
 */
function wrap(text, fits) {
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const word of text.match(/[ -~]+?(?: +|$|(?=[^ -~]))|[^ -~]/gu) ?? []) {
    if (line && !fits((line + word).trimEnd())) {
      lines.push(line.trimEnd());
      line = "";
    }
    for (const character of word) {
      if (line && !fits((line + character).trimEnd())) {
        lines.push(line.trimEnd());
        line = "";
      }
      line += character;
    }
  }
  lines.push(line.trimEnd());
  if (lines.length <= LINES_OF_A_NOTE) return lines;
  let last = lines[LINES_OF_A_NOTE - 1];
  while (last && !fits(last + "…")) last = last.slice(0, -1);
  return [...lines.slice(0, LINES_OF_A_NOTE - 1), last + "…"];
}
