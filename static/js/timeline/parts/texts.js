/**
 * The words along the lanes, where they have room: zoomed out, one that would
 * touch the one before it is left out, unless it names the guilty command.
 *
 * @typedef {import("../labels.js").Label} Label
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { SIZE, before, rowOf } from "../labels.js";
import { text } from "./label.js";

const APART = 8;

/** No label is wider than this: what stands farther off cannot reach in, px. */
const WIDEST = 240;

/** @param {Label[]} all @param {Frame} frame @returns {Group[]} */
export function texts(all, { x, lean, from, to, rows, options: { measure } }) {
  /** @type {Group[]} */
  const groups = [];
  for (const l of all) {
    const at = x(l.at) + l.lean * lean + l.dx;
    if (at < from - WIDEST || at > to + WIDEST || !(l.lane === "" || rows.seen(l.lane))) continue;
    groups.push({
      key: l.key, seq: l.seq, class: "label", title: l.title, layer: "words", since: l.since, ...(l.blamed ? { blamed: l.blamed } : {}),
      shapes: [text(l.class, at, rows.baseline(l), l.text, SIZE, l.anchor, measure)],
    });
  }
  return groups;
}

/**
 * Of all labels those that have room at a zoom. It is decided for the whole log,
 * so that none comes and goes while the picture is panned.
 * @param {Label[]} all
 * @param {Pick<Frame, "x" | "lean" | "options">} frame
 * @returns {Label[]}
 */
export function roomy(all, { x, lean, options: { measure } }) {
  const placed = all.map((label) => {
    const width = measure(label.text, SIZE);
    const left = x(label.at) + label.lean * lean + label.dx - before(label.anchor, width);
    return { label, left, right: left + width };
  });
  /** @type {Map<string, typeof placed>} */
  const rows = new Map();
  for (const p of placed.sort((a, b) => a.left - b.left)) {
    const id = rowOf(p.label);
    const row = rows.get(id) ?? [];
    rows.set(id, row);
    const last = row[row.length - 1];
    if (!last || last.right + APART <= p.left) row.push(p);
    else if (p.label.blamed && !last.label.blamed) row[row.length - 1] = p;
  }
  return [...rows.values()].flat().map((p) => p.label);
}
