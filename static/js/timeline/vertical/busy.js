/**
 * Finds the marks on the lanes that leave no good ground for words.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../shapes.js").Box} Box
 * @typedef {import("./layout.js").Frame} Frame
 * @typedef {Box & {lane: string}} Bar
 */

/** @param {Marks} marks @param {Frame} frame @returns {Bar[]} */
export function busy({ sections, pauses, sleeps }, { across, down, touches }) {
  const { bar, strip } = across;
  /** @param {string} lane @param {number} from @param {number} to @param {number} left @param {number} right */
  const over = (lane, from, to, left, right) => ({
    lane, x: across.x(lane) - left, width: left + right, y: down.client(from), height: down.client(to) - down.client(from),
  });
  return [
    ...sections.filter((s) => touches(s.from, s.to)).map((s) => over(s.client, s.from, s.to, bar, strip.left + strip.width)),
    ...pauses.filter((p) => touches(p.from, p.to)).map((p) => over(p.lane, p.from, p.to, bar * 1.5, strip.left + strip.width + 3)),
    ...sleeps.filter((s) => touches(s.from, s.to)).map((s) => over(s.lane, s.from, s.to, bar, bar)),
  ];
}
