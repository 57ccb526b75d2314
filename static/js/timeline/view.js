/**
 * The pane of a picture: its size and its scroll position. A plan ignores the letter
 * size that the reader chose, so its px are not those of the page: the picture is drawn
 * larger by the factor of its pane's font.
 *
 * @typedef {object} View  in px of the plan
 * @property {number} width
 * @property {number} height
 * @property {number} left
 * @property {number} top
 * @property {number} factor  px of the page for one of the plan
 */

/** The font size, px, at which both px are the same. */
const USUAL = 16;

/**
 * Measures of the pane are kept: reading one makes the browser lay the page out.
 * @param {HTMLElement} pane
 * @param {{onScroll: (across: {x: boolean, y: boolean}) => void, onResize: (change: () => void) => void}} handlers
 *   onScroll: in which directions; onResize: is given what takes the new size over
 */
export function viewOf(pane, { onScroll, onResize }) {
  /** @type {View} */
  const view = { width: 0, height: 0, left: 0, top: 0, factor: 1 };
  let scrolling = false;
  measure();

  function measure() {
    view.factor = parseFloat(getComputedStyle(pane).fontSize) / USUAL || 1;
    [view.width, view.height] = [pane.clientWidth / view.factor, pane.clientHeight / view.factor];
    // In a wider pane less can be scrolled, and the browser has moved it.
    [view.left, view.top] = [pane.scrollLeft / view.factor, pane.scrollTop / view.factor];
  }

  /** Before the next frame: at once, the browser would have to lay out for it what is still being drawn. */
  function scrollSoon() {
    if (scrolling) return;
    scrolling = true;
    requestAnimationFrame(scrollNow);
  }

  function scrollNow() {
    scrolling = false;
    [pane.scrollLeft, pane.scrollTop] = [view.left * view.factor, view.top * view.factor];
  }

  pane.addEventListener("scroll", () => {
    if (scrolling) return; // it is on its way to where the view is already
    if (!sameSize()) return; // the browser has moved it, as of another size it can be scrolled less; resize takes over
    const [left, top] = [pane.scrollLeft / view.factor, pane.scrollTop / view.factor];
    // The browser rounds to px of the screen what it is told.
    const moved = { x: Math.abs(left - view.left) >= 1, y: Math.abs(top - view.top) >= 1 };
    if (!moved.x && !moved.y) return;
    [view.left, view.top] = [left, top];
    onScroll(moved);
  }, { passive: true });

  const sameSize = () => pane.clientWidth === Math.round(view.width * view.factor) && pane.clientHeight === Math.round(view.height * view.factor);

  /** Takes over the size of the pane and of its letters, if one has changed. */
  function resize() {
    if (parseFloat(getComputedStyle(pane).fontSize) / USUAL === view.factor && sameSize()) return;
    onResize(measure);
    scrollNow(); // the browser paints before it asks for the next frame
  }

  new ResizeObserver(resize).observe(pane);

  return {
    view,
    resize,
    /** @param {"x" | "y"} axis @param {number} to */
    scroll(axis, to) {
      view[axis === "x" ? "left" : "top"] = to;
      scrollSoon();
    },
  };
}
