/**
 * A text and the box it fills.
 * @param {string} name
 * @param {number} x
 * @param {number} y  of the baseline
 * @param {string} content
 * @param {number} size
 * @param {"start" | "middle" | "end"} anchor
 * @param {import("../text.js").Measure} measure
 * @returns {import("../shapes.js").Text}
 */
export function text(name, x, y, content, size, anchor, measure) {
  const width = measure(content, size);
  const before = { start: 0, middle: width / 2, end: width }[anchor];
  return { kind: "text", class: name, x, y, anchor, text: content, size, box: { x: x - before, y: y - size * 0.8, width, height: size } };
}
