/**
 * Geometry: groups of plain shapes, a group for each mark. Everything is a number or
 * a word: a test can read it, and any renderer can draw it.
 *
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 *
 * @typedef {{kind: "rect", class: string, rx?: number} & Box} Rect
 * @typedef {{kind: "line", class: string, x1: number, y1: number, x2: number, y2: number}} Line
 * @typedef {{kind: "path", class: string, d: string}} Path
 * @typedef {{kind: "circle", class: string, cx: number, cy: number, r: number}} Circle
 * @typedef {{kind: "text", class: string, x: number, y: number, anchor: "start" | "middle" | "end", text: string, size: number, box: Box}} Text
 * @typedef {(Rect | Line | Path | Circle | Text) & {opacity?: number, "stroke-width"?: number}} Shape
 *
 * @typedef {object} Token  what can be delivered, or a client that can leave
 * @property {string} client
 * @property {number} seq  of the event by which it is there
 * @property {"request" | "reply" | "leave"} kind
 * @property {number} call  id; 0: of none
 * @property {string} node  to which it goes, or from which it comes
 * @property {string} whole  what it is, in full
 *
 * @typedef {object} Group  a mark, or a part of one that is about another event
 * @property {string} key  unique and lasting: an update reuses its nodes
 * @property {number} seq  of the event that it shows; 0: none
 * @property {string} class
 * @property {import("../trace/state.js").Sentence | null} title
 * @property {Shape[]} shapes
 * @property {"heads" | "words"} [layer]  heads stay in view; words stand over the veil that lies on the future
 * @property {number} [since]  words: the event from which they are said; later than the playhead they are ghosts
 * @property {string} [hint]  what it says in full under a pointer
 * @property {Token} [token]  the pointer takes it
 * @property {number} [opens]  the event whose motion brings it little by little
 * @property {number} [ends]  the event with whose motion's end it is there
 * @property {number} [blamed]  the violation that has it as its cause: seen as guilty from then on
 */

/** @param {string} name @param {number} x @param {number} y @param {number} width @param {number} height @param {number} [rx] @returns {Rect} */
export const rect = (name, x, y, width, height, rx = 0) => ({ kind: "rect", class: name, x, y, width, height, rx });

/** @param {string} name @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @returns {Line} */
export const line = (name, x1, y1, x2, y2) => ({ kind: "line", class: name, x1, y1, x2, y2 });

/** @param {string} name @param {string} d @returns {Path} */
export const path = (name, d) => ({ kind: "path", class: name, d });

/** @param {string} name @param {number} cx @param {number} cy @param {number} r @returns {Circle} */
export const circle = (name, cx, cy, r) => ({ kind: "circle", class: name, cx, cy, r });

/** @param {string} name @param {number} x @param {number} y @param {number} r @returns {Path} */
export const cross = (name, x, y, r) => path(name, crossed(x, y, r));

/** A cross, to be part of a path.
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export const crossed = (x, y, size) =>
  `M${rounded(x - size)} ${rounded(y - size)}l${2 * size} ${2 * size}M${rounded(x + size)} ${rounded(y - size)}l${-2 * size} ${2 * size}`;

/** A circle, to be part of a path.
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export const circled = (x, y, size) => `M${rounded(x - size)} ${rounded(y)}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0Z`;

/** A box, to be part of a path.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 */
export const boxed = (x, y, width, height) => `M${rounded(x)} ${rounded(y)}h${rounded(width)}v${rounded(height)}h${rounded(-width)}Z`;

/**
 * The head of an arrow. Not a marker, which would need an id, and ids would
 * clash as soon as a page draws two timelines.
 * @param {{x1: number, y1: number, x2: number, y2: number}} shaft
 * @param {boolean} solid  a triangle to be filled, or an open chevron
 */
export function headed({ x1, y1, x2, y2 }, solid) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [back, side] = solid ? [10, 4.5] : [7, 4];
  const [bx, by] = [x2 - ux * back, y2 - uy * back];
  const d = `M${rounded(bx - uy * side)} ${rounded(by + ux * side)}L${rounded(x2)} ${rounded(y2)}L${rounded(bx + uy * side)} ${rounded(by - ux * side)}`;
  return solid ? d + "Z" : d;
}

/** @param {string} name @param {{x1: number, y1: number, x2: number, y2: number}} shaft @param {boolean} solid */
export const head = (name, shaft, solid) => path(name, headed(shaft, solid));

/**
 * Hatching inside a box, as one path: rising lines at 45°, or upright ones.
 * @param {string} name
 * @param {Box} box
 * @param {"rising" | "upright"} direction
 * @param {number} step
 */
export function hatch(name, { x, y, width, height }, direction, step) {
  let d = "";
  const lean = direction === "rising" ? height : 0;
  // The lines hang on a grid of the whole picture, so a box that grows keeps its lines.
  for (let at = Math.ceil((x + 1) / step) * step; at < x + width + lean; at += step) {
    const from = Math.max(at - lean, x);
    const to = Math.min(at, x + width);
    if (lean) d += `M${rounded(from)} ${rounded(y + at - from)}L${rounded(to)} ${rounded(y + at - to)}`;
    else d += `M${at} ${rounded(y)}V${rounded(y + height)}`;
  }
  return path(name, d);
}

/** @param {number} n */
export const rounded = (n) => Math.round(n * 100) / 100;
