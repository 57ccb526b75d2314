/**
 * The two directions of time. The picture is laid out along time and across the lanes; here alone that becomes x and y.
 * A phone has the drawing of a desk with its axes swapped, and the table of each direction has what else differs.
 *
 * @typedef {import("./shapes.js").Box} Box
 * @typedef {import("./shapes.js").Line} Line
 * @typedef {import("./shapes.js").Rect} Rect
 * @typedef {{x1: number, y1: number, x2: number, y2: number}} Shaft
 * @typedef {ReturnType<typeof axis>} Axis
 */

import { line, rect, rounded } from "./shapes.js";

/** The widest pane in which time runs down, px of the picture. */
export const NARROW = 560;

/**
 * @param {"x" | "y"} name
 * @param {(along: number, across: number) => [number, number]} xy
 * @param {object} only
 * @param {string} only.run  the command of a path that goes along
 * @param {string} only.cross  and the one that goes across
 * @param {{along: number, across: number}} only.out  from where the lane of a node meets an arrow to where a reply leaves it, px
 * @param {number} only.torn  how far the torn end of a band moves along while it falls, px
 * @param {number} only.snapped  how far the end of a lane that snaps falls off it, px
 * @param {number} only.drained  how far beyond the playhead a lease of twelve seconds or more is seen to drain, px
 */
function axis(name, xy, only) {
  /** @param {number} along @param {number} across */
  const place = (along, across) => xy(along, across).map(rounded).join(" ");
  /** @param {number} along @param {number} across @param {number} long @param {number} wide @returns {Box} */
  function box(along, across, long, wide) {
    const [[x, y], [width, height]] = [xy(along, across), xy(long, wide)];
    return { x, y, width, height };
  }
  /** @param {number} a1 @param {number} c1 @param {number} a2 @param {number} c2 @returns {Shaft} */
  function shaft(a1, c1, a2, c2) {
    const [[x1, y1], [x2, y2]] = [xy(a1, c1), xy(a2, c2)];
    return { x1, y1, x2, y2 };
  }
  return {
    ...only, name, xy, box, shaft,
    /** A place as it stands in a path. */
    place,
    /** A straight path. @param {Shaft} shaft */
    straight: ({ x1, y1, x2, y2 }) => `M${rounded(x1)} ${rounded(y1)}L${rounded(x2)} ${rounded(y2)}`,
    /** @param {string} name @param {number} along @param {number} across @param {number} long @param {number} wide @param {number} [rx] @returns {Rect} */
    rect(name, along, across, long, wide, rx) {
      const { x, y, width, height } = box(along, across, long, wide);
      return rect(name, x, y, width, height, rx);
    },
    /** @param {string} name @param {number} a1 @param {number} c1 @param {number} a2 @param {number} c2 @returns {Line} */
    line(name, a1, c1, a2, c2) {
      const { x1, y1, x2, y2 } = shaft(a1, c1, a2, c2);
      return line(name, x1, y1, x2, y2);
    },
  };
}

export const AXES = {
  x: axis("x", (along, across) => [along, across], { run: "H", cross: "V", out: { along: 0, across: 0 }, torn: 14, snapped: 26, drained: 96 }),
  y: axis("y", (along, across) => [across, along], { run: "V", cross: "H", out: { along: 4, across: 2 }, torn: 10, snapped: 18, drained: 72 }),
};
