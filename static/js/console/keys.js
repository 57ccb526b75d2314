/**
 * Returns the names of the keys on the first Redis node after a number of events.
 * Typed commands go to that node. It reads the log and copies nothing, because the
 * page asks at every position of the scrubber.
 * @param {import("../trace/state.js").Event[]} events
 * @param {number} playhead
 */
export function keysAt(events, playhead) {
  /** @type {Set<string>} */
  const keys = new Set();
  for (let i = 0; i < playhead; i++) {
    const { changes, lane } = events[i];
    if (!changes || (lane !== "redis" && lane !== "redis1")) continue;
    for (const { key, new: stored } of changes) {
      if (stored) keys.add(key);
      else keys.delete(key);
    }
  }
  return [...keys].sort();
}
