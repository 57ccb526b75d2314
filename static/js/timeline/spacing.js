/**
 * Spaces the columns. A column is as far from the one before it as the labels need,
 * and no farther; later columns never move earlier ones.
 *
 * @typedef {object} Label  a text in a row, tied to a column
 * @property {string} row  texts of one row must not touch
 * @property {number} column
 * @property {number} left  from the column to the left edge of the text
 * @property {number} right
 *
 * @typedef {{from: number, to: number, distance: number}} Gap  the least distance of column `to` from column `from`
 */

/** Wider than a space, so that two commands do not read as one. */
const BETWEEN = 12;

/**
 * Returns the widths that the labels need of the columns.
 * @param {Label[]} labels
 * @param {number} end  the column after the last
 * @param {number} beside  how far from that column the last texts end
 * @returns {Gap[]}
 */
export function gaps(labels, end, beside) {
  /** @type {Map<string, Label[]>} */
  const rows = new Map();
  /** @type {Gap[]} */
  const wanted = [];
  for (const label of labels) {
    const row = rows.get(label.row);
    if (row) row.push(label);
    else rows.set(label.row, [label]);
    wanted.push({ from: -1, to: label.column, distance: -label.left }, { from: label.column, to: end, distance: label.right + beside });
  }
  for (const row of rows.values()) {
    row.sort((a, b) => a.column - b.column || a.left - b.left);
    for (let i = 1; i < row.length; i++) {
      wanted.push({ from: row[i - 1].column, to: row[i].column, distance: row[i - 1].right + BETWEEN - row[i].left });
    }
  }
  return wanted.filter((g) => g.from < g.to);
}

/**
 * Returns the distance of every column, from -1 to the one after the last, from column -1.
 * @param {number} end
 * @param {(column: number) => number} width  the least distance of a column from the one before
 * @param {Gap[]} wanted
 * @param {Float64Array} passing  how much wider each column's distance from the one before is, for time that passes
 * @returns {Float64Array}  by column + 1
 */
export function columns(end, width, wanted, passing) {
  const into = Array.from({ length: end + 1 }, () => /** @type {Gap[]} */ ([]));
  for (const gap of wanted) into[gap.to].push(gap);
  const xs = new Float64Array(end + 2);
  for (let column = 0; column <= end; column++) {
    let x = xs[column] + width(column);
    for (const { from, distance } of into[column]) x = Math.max(x, xs[from + 1] + distance);
    xs[column + 1] = Math.ceil(x) + passing[column];
  }
  return xs;
}
