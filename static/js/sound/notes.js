/**
 * Says which note an event has: four kinds of event are heard, and each by its own.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {"deliver" | "refuse" | "enter" | "violation"} Note
 */

/** A request to the storage arrives too, and a client's attempt may fail without a refused write.
 * @type {Record<string, Note>}
 */
const NOTES = {
  deliver: "deliver",
  read: "deliver",
  write: "deliver",
  stage: "deliver",
  commit: "deliver",
  reject: "refuse",
  "acquire-failed": "refuse",
  enter: "enter",
  violation: "violation",
};

/** Returns the notes of events in order, each once: twenty deliveries at one moment sound as one.
 * @param {Event[]} events
 * @returns {Note[]}
 */
export function notes(events) {
  return [...new Set(events.flatMap(({ kind }) => NOTES[kind] ?? []))];
}
