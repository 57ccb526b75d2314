/**
 * Where the columns stand. A column is as far from the one before it as the
 * labels need, and no farther; what comes later never moves what is there.
 *
 * @typedef {object} Label  a text in a row, tied to a column
 * @property {string} row  texts of one row must not touch
 * @property {number} column
 * @property {number} left  from the column to the left edge of the text
 * @property {number} right
 *
 * @typedef {{from: number, to: number, distance: number}} Gap  column `to` is at least so far from column `from`
 */

/** Wider than a space, so that two commands do not read as one. */
const BETWEEN = 12;

/** To the playhead, which is a line. */
const BESIDE = 8;

/**
 * What the labels ask of the columns.
 * @param {Label[]} labels
 * @param {number} end  the column of the playhead, which no text crosses
 * @returns {Gap[]}
 */
export function gaps(labels, end) {
  /** @type {Map<string, Label[]>} */
  const rows = new Map();
  for (const label of labels) rows.set(label.row, [...(rows.get(label.row) ?? []), label]);
  const between = [...rows.values()].flatMap((row) => {
    const sorted = [...row].sort((a, b) => a.column - b.column || a.left - b.left);
    return sorted.slice(1).map((label, i) => ({
      from: sorted[i].column, to: label.column, distance: sorted[i].right + BETWEEN - label.left,
    }));
  });
  return [
    ...between,
    ...labels.map((l) => ({ from: -1, to: l.column, distance: -l.left })),
    ...labels.map((l) => ({ from: l.column, to: end, distance: l.right + BESIDE })),
  ].filter((g) => g.from < g.to);
}

/**
 * The x of every column from -1, the left edge, to the playhead.
 * @param {number} end
 * @param {number} left  x of column -1
 * @param {number} width  the least distance of two columns
 * @param {Gap[]} wanted
 * @returns {(column: number) => number}
 */
export function columns(end, left, width, wanted) {
  /** @type {Gap[][]} */
  const into = Array.from({ length: end + 1 }, () => []);
  for (const gap of wanted) into[gap.to].push(gap);
  const xs = [left];
  for (let column = 0; column <= end; column++) {
    const least = into[column].map((g) => xs[g.from + 1] + g.distance);
    xs.push(Math.ceil(Math.max(xs[column] + width, ...least)));
  }
  return (column) => xs[column + 1];
}
