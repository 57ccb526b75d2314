/**
 * Finds the place of an event: at its own mark or, if it has none, at the last mark
 * before it.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("./down.js").Down} Down
 */

/**
 * @param {Marks} marks
 * @param {Down} down
 * @returns {(seq: number) => number}
 */
export function places(marks, { client, node, top, playhead }) {
  /** @type {Map<number, number>} */
  const known = new Map();
  /** @param {number} seq @param {number} y */
  const note = (seq, y) => void (seq > 0 && !known.has(seq) && known.set(seq, y));
  for (const q of marks.requests) {
    note(q.seq, client(q.sent));
    note(q.arrival, q.fate === "lost" ? client(q.to) : node(q.to));
  }
  for (const p of marks.replies) {
    note(p.seq, node(p.from));
    note(p.received, client(p.to));
  }
  for (const p of [
    ...marks.crashes, ...marks.restarts, ...marks.failovers, ...marks.dones, ...marks.errors, ...marks.notes, ...marks.skews, ...marks.ticks,
  ]) note(p.seq, client(p.at));
  for (const s of [...marks.sections, ...marks.pauses, ...marks.sleeps, ...marks.lives, ...marks.violations]) note(s.seq, client(s.from));
  for (const b of marks.bands) {
    note(b.seq, node(b.from));
    note(b.over, node(b.to));
  }
  const seqs = [...known.keys()].sort((a, b) => a - b);
  return (seq) => {
    if (seqs.length === 0) return playhead;
    let [low, high] = [0, seqs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (seqs[middle] <= seq) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? top : (known.get(seqs[low - 1]) ?? top);
  };
}
