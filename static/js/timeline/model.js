/**
 * Turns events into marks: the content of the picture, in moments instead of pixels.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {import("../trace/state.js").Sentence} Sentence
 * @typedef {import("../trace/state.js").State} State
 * @typedef {import("./lanes.js").Lane} Lane
 * @typedef {import("./lanes.js").Span} Span
 * @typedef {import("./lanes.js").Life} Life
 * @typedef {import("./messages.js").Request} Request
 * @typedef {import("./messages.js").Reply} Reply
 * @typedef {import("./sections.js").Section} Section
 * @typedef {import("./bands.js").Band} Band
 * @typedef {import("./violations.js").Violation} Violation
 * @typedef {import("./violations.js").Cause} Cause
 *
 * @typedef {{seq: number, sentence: Sentence, lane: string, at: number, text: string}} Point
 * @typedef {Point & {by: number, time: number}} Tick  by and time are in ms
 *
 * @typedef {object} Marks
 * @property {number} end  the playhead
 * @property {number} start  true time at which the run starts, ms
 * @property {number} began  the wall time of that, Unix ms; 0: the run has none
 * @property {Event[]} events
 * @property {State} state  after the last
 * @property {number[]} at  the moment of each event, the first of which has the seq 1
 * @property {Lane[]} lanes
 * @property {Life[]} lives
 * @property {Request[]} requests
 * @property {Reply[]} replies
 * @property {Section[]} sections
 * @property {Band[]} bands
 * @property {Span[]} pauses
 * @property {Span[]} sleeps
 * @property {Point[]} crashes
 * @property {Point[]} restarts
 * @property {Point[]} failovers
 * @property {Point[]} dones
 * @property {Point[]} errors
 * @property {Point[]} notes
 * @property {(Point & {skew: number})[]} skews
 * @property {Tick[]} ticks
 * @property {Violation[]} violations
 * @property {Cause[]} causes
 */

import { START, STORAGE, fold } from "../trace/state.js";
import { bands } from "./bands.js";
import { lanes, lives, spans } from "./lanes.js";
import { messages } from "./messages.js";
import { moments } from "./moments.js";
import { byClient, firstAfter, sections } from "./sections.js";
import { isHolding, violations } from "./violations.js";

/**
 * The work grows with the number of events, not with its square: a log of
 * thousands is read again after each event.
 * @param {Event[]} events  from the first
 * @param {State} [state]  after the last
 * @returns {Marks}
 */
export function marks(events, state = fold(events)) {
  const { moments: placed, end } = moments(events);
  /** @type {Map<string, import("./moments.js").Moment[]>} */
  const kinds = new Map();
  for (const moment of placed) {
    const { kind } = moment.event;
    const others = kinds.get(kind);
    if (others) others.push(moment);
    else kinds.set(kind, [moment]);
  }
  /** @param {string} kind */
  const points = (kind) => (kinds.get(kind) ?? []).map(point);
  const rows = lanes(placed, state);
  const found = violations(placed, end);
  const truth = bands(placed, end);
  const inside = sections(placed, truth, rows.filter((l) => l.node && l.name !== STORAGE).length, end);
  hatch(inside, found.violations);
  return {
    end,
    start: START,
    began: state.began,
    events,
    state,
    at: placed.map((m) => m.at),
    lanes: rows,
    lives: lives(placed, rows, end),
    ...messages(placed, end, new Map(found.causes.map((c) => [c.seq, c.led]))),
    sections: inside,
    bands: truth,
    pauses: spans(placed, "pause", ["resume", "crash", "restart"], end),
    sleeps: spans(placed, "sleep", ["wake", "crash", "restart"], end),
    crashes: points("crash"),
    restarts: points("restart"),
    failovers: points("failover"),
    dones: points("done"),
    errors: points("error"),
    notes: points("note"),
    skews: (kinds.get("skew") ?? []).map((m) => ({ ...point(m), skew: m.event.skew ?? 0 })),
    ticks: (kinds.get("tick") ?? [])
      .map((m) => ({ ...point(m), by: m.event.time - (m.event.from ?? m.event.time), time: m.event.time })),
    ...found,
  };
}

/** @param {import("./moments.js").Moment} moment @returns {Point} */
function point({ event, at }) {
  return { seq: event.seq, sentence: event.sentence, lane: event.lane ?? "", at, text: event.text ?? "" };
}

/**
 * Where clients are inside together, their bars are hatched.
 * @param {Section[]} inside
 * @param {Violation[]} found
 */
function hatch(inside, found) {
  const own = byClient(inside);
  for (const v of found) {
    if (!isHolding(v.property)) continue;
    for (const client of v.clients) {
      const sections = own.get(client) ?? [];
      for (let i = firstAfter(sections, v.from); i < sections.length && sections[i].from < v.to; i++) {
        sections[i].hatched.push({ seq: v.seq, from: Math.max(sections[i].from, v.from), to: Math.min(sections[i].to, v.to) });
      }
    }
  }
}
