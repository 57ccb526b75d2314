/**
 * Keeps the typed lines, and the reader's place among them. The line that the
 * reader had begun comes back at the end.
 */
export function history() {
  /** @type {string[]} */
  const lines = [];
  let at = 0;
  let draft = "";

  return {
    /** @param {string} line */
    add(line) {
      if (lines.at(-1) !== line) lines.push(line);
      at = lines.length;
    },
    /**
     * @param {string} now  what stands on the line
     * @returns {string | undefined}  the line before; undefined: there is none
     */
    back(now) {
      if (at === lines.length) draft = now;
      return at > 0 ? lines[--at] : undefined;
    },
    /** @returns {string | undefined}  the line after */
    forward() {
      if (at >= lines.length) return undefined;
      return ++at === lines.length ? draft : lines[at];
    },
  };
}
