/**
 * The log of a run as the page has it, and the panels of its positions. A position
 * counts the actions that were done. The log only grows, so the panels of a position
 * stay true, also without a connection. A long log comes in stretches, and the page
 * has a prefix until the last one is there.
 *
 * @typedef {import("./state.js").Event} Event
 * @typedef {import("../run/socket.js").Hello} Hello
 * @typedef {import("../run/socket.js").Events} Events
 * @typedef {import("../run/socket.js").Stretch} Stretch
 * @typedef {Record<string, string>} Panels  HTML by the id of its element
 *
 * @typedef {object} Log
 * @property {string} epoch
 * @property {string} [header]  of the scenario; none: it has not come yet
 * @property {number} actions  of the run
 * @property {string[]} lines  the first of them, as scenario text
 * @property {number} total  events of the run
 * @property {Event[]} events  the first of them
 */

/** @type {Log} */
export const NOTHING = { epoch: "", actions: 0, lines: [], total: 0, events: [] };

/**
 * Returns the log after a message of the server, or after a stretch. The given log stays as it was. Another epoch
 * begins a new log.
 * @param {Log} log
 * @param {Hello | Events | Stretch} message
 * @returns {Log}
 */
export function follow(log, message) {
  const { epoch = log.epoch, header, actions, after = 0, lines = [], since = 0, events = [] } = message;
  const known = epoch === log.epoch ? log : NOTHING;
  const { total = known.total } = message;
  // Only a hello says how long the log is now; other messages may arrive late.
  const hello = "type" in message && message.type === "hello";
  return {
    epoch,
    header: header === undefined && !(hello && after === 0) ? known.header : header,
    actions: hello ? actions : Math.max(known.actions, actions),
    lines: joined(hello ? upTo(known.lines, actions) : known.lines, after, lines),
    total: hello ? total : Math.max(known.total, total),
    events: joined(hello ? upTo(known.events, total) : known.events, since, events),
  };
}

/**
 * Appends what continues the known part. A stretch that would leave a gap must come again.
 * @template T
 * @param {T[]} known
 * @param {number} from
 * @param {T[]} more
 */
function joined(known, from, more) {
  return from > known.length || from + more.length <= known.length ? known : [...known.slice(0, from), ...more];
}

/** @template T @param {T[]} all @param {number} length */
const upTo = (all, length) => (all.length > length ? all.slice(0, length) : all);

/** Closes a log that can grow no more. @param {Log} log @returns {Log} */
export const ended = ({ epoch, header = "", lines, events }) => ({ epoch, header, actions: lines.length, lines, total: events.length, events });

/** Reports whether all of the scenario has come. @param {Log} log */
export const written = ({ header, lines, actions }) => header !== undefined && lines.length === actions;

/** Reports whether all of the log has come. @param {Log} log */
export const complete = (log) => written(log) && log.events.length === log.total;

/** Reports whether all that has happened up to a position has come. @param {Log} log @param {number} position */
export const reaches = ({ events, total }, position) => events.length === total || (events.at(-1)?.action ?? 0) > position;

/**
 * Reports whether the server has lost this run: it began again, and has less of it
 * than the page, or another one.
 * @param {Log} log
 * @param {{epoch: string, header?: string, lines: string[]}} told
 */
export function forgotten(log, told) {
  return told.epoch !== log.epoch && ((log.header && !told.header) || log.lines.some((line, i) => told.lines[i] !== line));
}

/** Returns the log as scenario text. @param {Log} log */
export const scenario = ({ header = "", lines }) => header + lines.map((line) => `${line}\n`).join("");

/** Returns the query that says how much of a log has come. @param {Log} log */
export const extent = ({ epoch, header, lines, events }) => `epoch=${epoch}&after=${header === undefined ? 0 : lines.length}&since=${events.length}`;

/** Returns the query that says how much is known to exist; the rest is fetched elsewhere. @param {Log} log */
export const known = ({ epoch, actions, total }) => `epoch=${epoch}&after=${actions}&since=${total}`;

/**
 * Returns the number of the last event that has happened at a position.
 * @param {Event[]} events
 * @param {number} position
 */
export const playhead = (events, position) => count(events, (event) => event.action <= position);

/**
 * Returns the position at which a run is ready to be played: its first clients stand on their lanes.
 * @param {Event[]} events
 */
export function opening(events) {
  const first = events.find((event, i) => event.action !== events[i - 1]?.action && event.kind !== "spawn");
  return first ? first.action - 1 : (events.at(-1)?.action ?? 0);
}

/** Counts the events at the beginning of a list for which `is` holds. @param {Event[]} events @param {(event: Event) => boolean} is */
export function count(events, is) {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(events[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Positions whose panels are kept: with many clients those of one take 150 KB. */
const MOST = 256;

/** Keeps the panels by position; of many, the last ones. */
export function album() {
  /** @type {Map<number, Panels>} */
  const kept = new Map();
  return {
    /** @param {number} position @param {Panels} panels  those that differ from the position before, or all @param {number} [from] */
    add(position, panels, from) {
      const before = from === undefined ? {} : kept.get(from);
      if (!before) return; // the server can send all of it
      kept.delete(position);
      kept.set(position, { ...before, ...panels });
      for (const oldest of kept.keys()) if (kept.size > MOST) kept.delete(oldest);
    },
    /** @param {number} position */
    at: (position) => kept.get(position),
    clear: () => kept.clear(),
  };
}
