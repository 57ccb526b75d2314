/**
 * Computes the violations: where a property does not hold, and the event that made it inevitable.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {import("../trace/state.js").Sentence} Sentence
 * @typedef {import("./moments.js").Moment} Moment
 *
 * @typedef {object} Violation
 * @property {number} seq
 * @property {Sentence} sentence
 * @property {string} property
 * @property {string[]} clients
 * @property {number} from
 * @property {number} to
 * @property {boolean} open  it lasts to the playhead
 *
 * @typedef {object} Cause
 * @property {number} seq  of the guilty event
 * @property {Sentence} sentence
 * @property {number} from  the guilty event
 * @property {number} to  the violation it led to
 * @property {number} order  of the guilty command; 0: it is none
 * @property {number} led  seq of the first violation it led to
 * @property {number} reached  seq of the violation at `to`
 */

import { columnOf } from "./moments.js";

const HOLDERS = "mutual-exclusion";
const OVERLAP = "overlap";

/**
 * @param {Moment[]} moments
 * @param {number} end
 * @returns {{violations: Violation[], causes: Cause[]}}
 */
export function violations(moments, end) {
  /** @type {(Violation & {cause?: number})[]} */
  const all = [];
  /** @type {Map<string, Violation & {cause?: number}>} */
  const open = new Map();
  for (const { event, at } of moments) {
    const { violation, kind, seq, sentence } = event;
    if (!violation) continue;
    const id = `${violation.property} ${violation.clients.join()}`;
    const before = open.get(id);
    if (kind === "cleared" && before) {
      before.to = at;
      before.open = false;
      open.delete(id);
    }
    if (kind === "violation" && !before) {
      const momentary = violation.momentary ?? false;
      const found = { seq, sentence, ...violation, clients: [...violation.clients], from: at, to: momentary ? at : end, open: !momentary };
      all.push(found);
      if (!momentary) open.set(id, found);
    }
  }
  return { violations: merge(all), causes: causes(all, moments) };
}

/**
 * One flag for what is one thing to the eye: the pairs of holders that begin in
 * one column, the overlap that comes with them, and all who are stuck.
 * @param {Violation[]} all
 */
function merge(all) {
  /** @type {Map<number, Violation[]>} by column, since only those of one column are merged */
  const flags = new Map();
  const ranked = [...all].sort((a, b) => Number(a.property !== HOLDERS) - Number(b.property !== HOLDERS) || a.seq - b.seq);
  for (const v of ranked) {
    const column = columnOf(v.from);
    const here = flags.get(column) ?? [];
    flags.set(column, here);
    const twin = here.find((f) => joins(f, v));
    if (!twin) {
      here.push({ seq: v.seq, sentence: v.sentence, property: v.property, clients: v.clients, from: v.from, to: v.to, open: v.open });
      continue;
    }
    twin.clients = [...new Set([...twin.clients, ...v.clients])].sort(byName);
    twin.from = Math.min(twin.from, v.from);
    twin.to = Math.max(twin.to, v.to);
    twin.open ||= v.open;
  }
  return [...flags.values()].flat().sort((a, b) => a.seq - b.seq);
}

/** @param {Violation} flag @param {Violation} v */
function joins(flag, v) {
  if (flag.property === v.property) return isHolding(v.property) || v.property === "stuck";
  return flag.property === HOLDERS && v.property === OVERLAP && v.clients.every((c) => flag.clients.includes(c));
}

/** Reports whether the violation is one of clients being inside together.
 * @param {string} property
 */
export const isHolding = (property) => property === HOLDERS || property === OVERLAP;

/** C2 before C10. @param {string} a @param {string} b */
const byName = (a, b) => a.length - b.length || (a < b ? -1 : 1);

/**
 * @param {(Violation & {cause?: number})[]} all
 * @param {Moment[]} moments  from the first
 * @returns {Cause[]}
 */
function causes(all, moments) {
  /** @type {Map<number, Cause>} */
  const found = new Map();
  for (const v of all) {
    const guilty = v.cause ? moments[v.cause - 1] : undefined; // the first event has the number 1
    if (!guilty) continue;
    const { seq, sentence, execution } = guilty.event;
    const before = found.get(seq);
    // One arrow per guilty event, to the last thing it led to.
    if (!before) found.set(seq, { seq, sentence, from: guilty.at, to: v.from, order: execution?.order ?? 0, led: v.seq, reached: v.seq });
    else if (v.from > before.to) Object.assign(before, { to: v.from, reached: v.seq });
  }
  return [...found.values()];
}
