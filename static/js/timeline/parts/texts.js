/**
 * Draws the words along the lanes, where they have room: zoomed out, a word that would
 * touch its neighbour is shortened or left out, unless it names the guilty command or says what was read.
 *
 * @typedef {import("../labels.js").Label} Label
 * @typedef {import("../layout.js").Right} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { before, rowOf } from "../labels.js";
import { text } from "./label.js";

const APART = 4;

/** How far a label moves aside at most, px. */
const ASIDE = 12;

/** No label is wider than this: what stands farther off cannot reach in, px. */
const WIDEST = 240;

/** @param {Label[]} all @param {Frame} frame @returns {Group[]} */
export function texts(all, { along, lead, from, to, rows, options: { measure } }) {
  /** @type {Group[]} */
  const groups = [];
  for (const l of all) {
    const at = along(l.at) + l.lean * lead + l.dx;
    if (at < from - WIDEST || at > to + WIDEST || !(l.lane === "" || rows.seen(l.lane))) continue;
    groups.push({
      key: l.key, seq: l.seq, class: "label", title: l.title, layer: "words", since: l.since, ...(l.blamed ? { blamed: l.blamed } : {}), hint: l.hint,
      shapes: [text(l.class, at, rows.baseline(l), l.text, l.size, l.anchor, measure)],
    });
  }
  return groups;
}

/**
 * Returns the labels that have room at a zoom, shortened where that makes room. It
 * decides for the whole log: panning adds and removes none.
 * @param {Label[]} all
 * @param {Pick<Frame, "along" | "lead" | "options">} frame
 * @returns {Label[]}
 */
export function roomy(all, frame) {
  /** @type {Map<string, Placed[]>} */
  const rows = new Map();
  for (const label of all) {
    const id = rowOf(label);
    const row = rows.get(id);
    if (row) row.push(placed(label, frame));
    else rows.set(id, [placed(label, frame)]);
  }
  return [...rows.values()].flatMap((row) => inRow(row.sort((a, b) => a.left - b.left), frame));
}

/** @typedef {{label: Label, left: number, right: number}} Placed */

/** @param {Label} label @param {Pick<Frame, "along" | "lead" | "options">} frame @returns {Placed} */
function placed(label, { along, lead, options: { measure } }) {
  const width = measure(label.text, label.size);
  const left = along(label.at) + label.lean * lead + label.dx - before(label.anchor, width);
  return { label, left, right: left + width };
}

/** @param {Placed} one @param {number} by @returns {Placed} */
const moved = ({ label, left, right }, by) => ({ label: { ...label, dx: label.dx + by }, left: left + by, right: right + by });

/** The guilty command and what was read decide: they stay before others. @param {Placed} one */
const weight = ({ label }) => (label.blamed ? 2 : label.class.endsWith(" read") || label.class.endsWith(" clock") ? 1 : 0);

/** @param {Placed[]} row  from left to right @param {Pick<Frame, "along" | "lead" | "options">} frame */
function inRow(row, frame) {
  const brief = row.map((p) => (p.label.short ? placed({ ...p.label, text: p.label.short }, frame) : p));
  /** @type {Placed[]} */
  const kept = [];
  row.forEach((whole, i) => {
    const last = kept[kept.length - 1];
    const free = whole.right + APART <= (brief[i + 1]?.left ?? Infinity) && (!last || last.right + APART <= whole.left);
    const one = free ? whole : brief[i];
    const by = last ? Math.max(0, last.right + APART - one.left) : 0;
    const room = (brief[i + 1]?.left ?? Infinity) - APART - one.right;
    if (by <= Math.min(ASIDE, Math.max(0, room))) kept.push(moved(one, by));
    else if (weight(one) > weight(last)) kept[kept.length - 1] = one;
  });
  return kept.map((p) => p.label);
}
