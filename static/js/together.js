/**
 * Two pictures that are looked at as one: what the reader scrolls or zooms in
 * one of them is scrolled and zoomed in the other, so that what stands below
 * each other belongs together.
 *
 * @typedef {import("./compare.js").Picture} Picture
 */

/** As the buttons and keys of a picture zoom. */
const STEP = 1.5;

/**
 * @param {{box: HTMLElement, picture: Picture}} first  has the controls
 * @param {{box: HTMLElement, picture: Picture}} second
 */
export function together(first, second) {
  /** Whose pane the reader moves; a pane that moves by itself leads nowhere. @type {HTMLElement | null} */
  let leader = null;

  for (const [one, other] of [[first, second], [second, first]]) {
    const [pane, follower] = [paneOf(one.box), paneOf(other.box)];
    const lead = () => (leader = pane);
    for (const touch of ["pointerdown", "wheel", "keydown"]) one.box.addEventListener(touch, lead, { passive: true, capture: true });
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

  return {
    /** Each picture brings its own playhead into view now. */
    pause() {
      leader = null;
    },
  };
}

/** @param {HTMLElement} box @returns {HTMLElement} */
const paneOf = (box) => /** @type {HTMLElement} */ (box.querySelector(".picture"));

/** The way in which a picture is scrolled through time. @param {HTMLElement} box */
const along = (box) => (box.getAttribute("data-axis") === "y" ? "scrollTop" : "scrollLeft");
