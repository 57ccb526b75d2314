/**
 * Links two pictures: scrolling or zooming one of them scrolls and zooms the other,
 * and the same moments stay below each other.
 *
 * @typedef {import("./compare.js").Picture} Picture
 */

/** Two runs that are opened are shown whole if they need not be smaller than that: then most words still have room. */
const WHOLE = 0.5;

/**
 * @param {{box: HTMLElement, picture: Picture}} first  has the controls
 * @param {{box: HTMLElement, picture: Picture}} second
 */
export function linkViews(first, second) {
  /** The pane that the reader moves; a pane that moves by itself leads nowhere. @type {HTMLElement | null} */
  let leader = null;
  let whole = true; // both are shown whole, until the reader zooms

  for (const [one, other] of [[first, second], [second, first]]) {
    const [pane, follower] = [paneOf(one.box), paneOf(other.box)];
    const lead = () => (leader = pane);
    for (const touch of ["pointerdown", "touchmove", "wheel", "keydown"]) one.box.addEventListener(touch, lead, { passive: true, capture: true });
    one.box.addEventListener("pointermove", (event) => event.buttons && lead(), { passive: true, capture: true });
    pane.addEventListener("scroll", () => {
      if (leader === pane && along(one.box) === along(other.box)) follower[along(one.box)] = pane[along(one.box)];
    }, { passive: true });

    // The picture itself has zoomed already.
    const zoomed = () => {
      whole = false;
      other.picture.zoomTo(one.picture.zoom());
    };
    one.box.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (["+", "=", "-"].includes(event.key)) zoomed();
      else if (event.key === "0") fit();
    });
    pane.addEventListener("wheel", (event) => event.ctrlKey && zoomed(), { passive: true });
    one.box.addEventListener("click", (event) => {
      switch (/** @type {Element} */ (event.target).closest("button")?.getAttribute("data-timeline")) {
        case "fit": return fit();
        case "out": case "in": return zoomed();
      }
    });
  }

  /** Shows both whole, at the zoom that the longer needs. */
  function fit() {
    whole = true;
    const needed = Math.min(...[first, second].map(({ picture }) => picture.fit()));
    for (const { picture } of [first, second]) picture.zoomTo(needed);
  }

  /** Shows both whole if they have room for that. To fit a long run would take time. */
  function open() {
    const room = paneOf(first.box).clientWidth;
    for (const { picture } of [first, second]) picture.zoomTo(1);
    if ([first, second].every(({ picture }) => WHOLE * picture.long() <= room)) fit();
  }

  /** Brings the same stretch of both into view, if it has both playheads. */
  function alignNow() {
    const way = along(first.box);
    if (way !== along(second.box)) return;
    const panes = [first, second].map(({ box }) => paneOf(box));
    const to = Math.max(...panes.map((pane) => pane[way]));
    if (!panes.every((pane) => showsPlayhead(pane, way, to))) return;
    for (const pane of panes) pane[way] = to;
  }

  /** Waits until each picture has brought its own playhead into view, in the next frame. */
  function align() {
    leader = null;
    requestAnimationFrame(alignNow);
  }

  /** Gives the shorter picture room at its end, to scroll as far as the longer. */
  function makeRoom() {
    const long = Math.max(first.picture.long(), second.picture.long());
    for (const { picture } of [first, second]) picture.atLeast(long);
  }

  const resized = new ResizeObserver(() => {
    if (whole) open();
    makeRoom();
    align();
  });
  const redrawn = new ResizeObserver(makeRoom);
  for (const { box } of [first, second]) {
    resized.observe(paneOf(box));
    redrawn.observe(/** @type {Element} */ (box.querySelector(".picture > svg:not(.heads)")));
  }

  return {
    align,
    /** Both pictures have their runs now. */
    open,
  };
}

/** Reports whether the playhead is in view when a pane is scrolled so far.
 * @param {HTMLElement} pane @param {"scrollLeft" | "scrollTop"} way @param {number} to
 */
function showsPlayhead(pane, way, to) {
  const across = way === "scrollLeft";
  const handle = pane.querySelector(".playhead-handle");
  const svg = handle?.closest("svg");
  const factor = svg ? svg.width.baseVal.value / svg.viewBox.baseVal.width : 1;
  const at = Number(handle?.getAttribute(across ? "x" : "y")) * factor - to;
  const heads = pane.querySelector(".heads");
  const before = heads ? Number(heads.getAttribute(across ? "width" : "height")) : 0;
  return at > before && at < (across ? pane.clientWidth : pane.clientHeight);
}

/** @param {HTMLElement} box @returns {HTMLElement} */
const paneOf = (box) => /** @type {HTMLElement} */ (box.querySelector(".picture"));

/** Returns the direction in which a picture scrolls through time. @param {HTMLElement} box */
const along = (box) => (box.getAttribute("data-axis") === "y" ? "scrollTop" : "scrollLeft");
