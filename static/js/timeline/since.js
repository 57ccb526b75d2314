/**
 * Cuts off the later part of a run, which is drawn as a row below the earlier part:
 * bars that began before come in from the left.
 *
 * @typedef {import("./model.js").Marks} Marks
 */

/** Left of the first column. */
const EDGE = -1;

/**
 * @param {Marks} marks
 * @param {number} column  the first of the row
 * @param {number} start  true time there, ms
 * @returns {Marks}
 */
export function since(marks, column, start) {
  /** @param {number} at */
  const moved = (at) => (at < column ? EDGE : at - column);

  /** @template {{at: number}} T @param {T[]} all */
  const points = (all) => all.filter((p) => p.at >= column).map((p) => ({ ...p, at: moved(p.at) }));

  /** @template {{from: number, to: number}} T @param {T[]} all */
  const spans = (all) => all.filter((s) => s.to >= column).map((s) => ({ ...s, from: moved(s.from), to: moved(s.to) }));

  return {
    ...marks,
    end: moved(marks.end),
    start,
    at: marks.at.map(moved),
    lives: spans(marks.lives),
    requests: marks.requests.filter((q) => q.to >= column).map((q) => ({ ...q, sent: moved(q.sent), to: moved(q.to) })),
    replies: marks.replies.filter((p) => p.to >= column).map((p) => ({ ...p, from: moved(p.from), to: moved(p.to) })),
    // A dead holder's belief goes on after it.
    sections: marks.sections.filter((s) => [s, ...s.strip].some(({ to }) => to >= column)).map((s) => ({
      ...s, from: moved(s.from), to: moved(s.to), strip: spans(s.strip), hatched: spans(s.hatched),
    })),
    bands: spans(marks.bands).map((b) => ({ ...b, expired: moved(b.expired) })),
    pauses: spans(marks.pauses),
    sleeps: spans(marks.sleeps),
    crashes: points(marks.crashes),
    restarts: points(marks.restarts),
    failovers: points(marks.failovers),
    dones: points(marks.dones),
    errors: points(marks.errors),
    notes: points(marks.notes),
    skews: points(marks.skews),
    ticks: points(marks.ticks),
    violations: spans(marks.violations),
    causes: spans(marks.causes),
  };
}
