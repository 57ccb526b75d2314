/**
 * Handles the pointer over the picture: finds the mark, pans by drag, zooms by wheel.
 */

/** Distance within which the pointer means a mark, px: lines are thin. */
const NEAR = [0, 4, 8];

/** From here on a press is a drag, px. */
const DRAG = 4;

/**
 * @param {HTMLElement} pane
 * @param {{
 *   onHover: (seq: number) => void,
 *   onSelect: (seq: number) => void,
 *   onZoom: (factor: number, at: {x: number, y: number}) => void,
 * }} handlers  at: px from the edges of the pane
 */
export function pointing(pane, { onHover, onSelect, onZoom }) {
  /** @type {{x: number, y: number, left: number, top: number, dragged: boolean} | null} */
  let press = null;
  let dragged = false;
  let hovered = 0;
  let asked = 0;

  /** @param {number} x @param {number} y */
  function seqAt(x, y) {
    for (const distance of NEAR) {
      for (const [dx, dy] of distance === 0 ? [[0, 0]] : [[-1, 0], [1, 0], [0, -1], [0, 1], [-0.7, -0.7], [0.7, 0.7], [-0.7, 0.7], [0.7, -0.7]]) {
        const mark = document.elementFromPoint(x + dx * distance, y + dy * distance)?.closest("[data-seq]");
        if (mark && pane.contains(mark)) return Number(mark.getAttribute("data-seq"));
      }
    }
    return 0;
  }

  /** @param {number} seq */
  function hover(seq) {
    if (seq === hovered) return;
    hovered = seq;
    onHover(seq);
  }

  pane.addEventListener("pointerdown", (event) => {
    dragged = false;
    // A finger scrolls by itself; a press on a scroll bar is not on the picture.
    if (event.button !== 0 || event.pointerType !== "mouse" || event.target === pane) return;
    press = { x: event.clientX, y: event.clientY, left: pane.scrollLeft, top: pane.scrollTop, dragged: false };
  });

  pane.addEventListener("pointermove", (event) => {
    if (press) {
      const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
      if (!press.dragged && Math.hypot(dx, dy) > DRAG) {
        press.dragged = true;
        pane.setPointerCapture(event.pointerId);
        pane.classList.add("panning");
        hover(0);
      }
      if (press.dragged) {
        pane.scrollLeft = press.left - dx;
        pane.scrollTop = press.top - dy;
        return;
      }
    }
    if (event.pointerType === "touch") return;
    cancelAnimationFrame(asked);
    const { clientX, clientY } = event;
    asked = requestAnimationFrame(() => hover(seqAt(clientX, clientY)));
  });

  for (const end of ["pointerup", "pointercancel"]) {
    pane.addEventListener(end, () => {
      dragged = press?.dragged ?? false;
      press = null;
      pane.classList.remove("panning");
    });
  }

  pane.addEventListener("pointerleave", () => {
    cancelAnimationFrame(asked);
    if (!press) hover(0);
  });

  pane.addEventListener("click", (event) => {
    if (dragged) return;
    // A screen reader presses the mark itself, at no place.
    const pressed = event.detail === 0 ? /** @type {Element} */ (event.target).closest("[data-seq]") : null;
    onSelect(pressed ? Number(pressed.getAttribute("data-seq")) : seqAt(event.clientX, event.clientY));
  });

  pane.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = pane.getBoundingClientRect();
    onZoom(Math.exp(-event.deltaY / 300), { x: event.clientX - box.left, y: event.clientY - box.top });
  }, { passive: false });
}
