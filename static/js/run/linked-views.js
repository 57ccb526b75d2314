/**
 * Links two pictures: scrolling or zooming one of them scrolls and zooms the other,
 * and the same moments stay below each other.
 *
 * @typedef {import("./compare.js").Picture} Picture
 */

/** The factor of the buttons and keys that zoom a picture. */
const STEP = 1.5;

/**
 * @param {{box: HTMLElement, picture: Picture}} first  has the controls
 * @param {{box: HTMLElement, picture: Picture}} second
 */
export function linkViews(first, second) {
  /** The pane that the reader moves; a pane that moves by itself leads nowhere. @type {HTMLElement | null} */
  let leader = null;

  for (const [one, other] of [[first, second], [second, first]]) {
    const [pane, follower] = [paneOf(one.box), paneOf(other.box)];
    const lead = () => (leader = pane);
    for (const touch of ["pointerdown", "touchmove", "wheel", "keydown"]) one.box.addEventListener(touch, lead, { passive: true, capture: true });
    one.box.addEventListener("pointermove", (event) => event.buttons && lead(), { passive: true, capture: true });
    pane.addEventListener("scroll", () => {
      if (leader === pane && along(one.box) === along(other.box)) follower[along(one.box)] = pane[along(one.box)];
    }, { passive: true });

    one.box.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "+" || event.key === "=") other.picture.zoom(STEP);
      else if (event.key === "-") other.picture.zoom(1 / STEP);
      else if (event.key === "0") other.picture.fit();
    });
    pane.addEventListener("wheel", (event) => {
      if (event.ctrlKey) other.picture.zoom(Math.exp(-event.deltaY / 300));
    }, { passive: true });
  }

  first.box.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    const scale = button?.getAttribute("data-timeline-scale");
    if (scale === "steps" || scale === "real") second.picture.scale(scale);
    switch (button?.getAttribute("data-timeline")) {
      case "fit": return second.picture.fit();
      case "out": return second.picture.zoom(1 / STEP);
      case "in": return second.picture.zoom(STEP);
    }
  });

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
    makeRoom();
    align();
  });
  const redrawn = new ResizeObserver(makeRoom);
  for (const { box } of [first, second]) {
    resized.observe(paneOf(box));
    redrawn.observe(/** @type {Element} */ (box.querySelector(".picture > svg:not(.heads)")));
  }

  return { align };
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
