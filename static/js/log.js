/**
 * The log of a run as the page has it, and what the panels show at each of its
 * positions. A position is how many actions have been done; the log only grows,
 * so what was seen at a position stays true, also without a connection.
 *
 * @typedef {import("./store.js").Event} Event
 * @typedef {import("./live.js").Hello} Hello
 * @typedef {import("./live.js").Events} Events
 * @typedef {Record<string, string>} Panels  HTML by the id of its element
 * @typedef {{epoch: string, header: string, lines: string[], events: Event[]}} Log
 */

/**
 * The log after a message of the server. The given log is left as it was.
 * @param {Log} log
 * @param {Hello | Events} message
 * @returns {Log}
 */
export function follow(log, message) {
  if (message.type === "events") {
    return { ...log, lines: [...log.lines, ...message.lines], events: [...log.events, ...message.events] };
  }
  return {
    epoch: message.epoch, header: message.header, lines: message.lines,
    events: [...log.events.slice(0, message.since), ...message.events],
  };
}

/**
 * Whether the server has this run no more: it began anew, and has less of it
 * than the page, or something else.
 * @param {Log} log
 * @param {Hello} hello
 */
export function forgotten(log, hello) {
  return hello.epoch !== log.epoch && ((log.header && !hello.header) || log.lines.some((line, i) => hello.lines[i] !== line));
}

/** The log as scenario text. @param {Log} log */
export const scenario = ({ header, lines }) => header + lines.map((line) => `${line}\n`).join("");

/**
 * The number of the last event that has happened at a position.
 * @param {Event[]} events
 * @param {number} position
 */
export function playhead(events, position) {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].action <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Positions whose panels are kept: with many clients those of one take 150 KB. */
const MOST = 256;

/** What the panels show, by position; of many, those that were told last. */
export function album() {
  /** @type {Map<number, Panels>} */
  const kept = new Map();
  return {
    /** @param {number} position @param {Panels} panels  those that differ from the position before, or all @param {number} [from] */
    add(position, panels, from) {
      const before = from === undefined ? {} : kept.get(from);
      if (!before) return; // it can be asked for as a whole
      kept.delete(position);
      kept.set(position, { ...before, ...panels });
      for (const oldest of kept.keys()) if (kept.size > MOST) kept.delete(oldest);
    },
    /** @param {number} position */
    at: (position) => kept.get(position),
    clear: () => kept.clear(),
  };
}
