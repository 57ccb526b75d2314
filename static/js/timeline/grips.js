/**
 * What of the picture can be taken hold of: the playhead, which is dragged along the
 * axis, and tokens, which are pressed or dragged to where they go. Everything else
 * pans (pointing.js).
 *
 * @typedef {import("./shapes.js").Token} Token
 */

/** A token goes back when this long no motion has begun, ms. */
const REFUSED_MS = 1000;

/** From here on a press is a drag, px. */
const DRAG = 4;

/**
 * @param {HTMLElement} pane
 * @param {object} picture
 * @param {(x: number, y: number) => void} [picture.onSeek]  the playhead is dragged to there, px of the page from the corner of the picture
 * @param {() => void} [picture.onSought]  and has been let go
 * @param {(key: string) => Token | undefined} picture.token
 * @param {(token: Token, x: number, y: number) => boolean} picture.goesTo  whether a token may be let go there
 * @param {(token: Token, by: {dx: number, dy: number}) => void} picture.onToken  by: px of the picture it was dragged
 */
export function grips(pane, { onSeek, onSought = () => {}, token, goesTo, onToken }) {
  const svg = /** @type {SVGSVGElement} */ (pane.querySelector("svg"));
  /** @type {{id: number, node: Element, token: Token | null, x: number, y: number, by: {dx: number, dy: number}, moved: boolean} | null} */
  let held = null;
  /** What was let go where it goes, and is to go back if it was refused. @type {{node: Element, timer: ReturnType<typeof setTimeout>} | undefined} */
  let landing;
  let pressed = false; // the click that follows a press is not one on a mark

  /** @param {PointerEvent} event @returns {[number, number]} */
  function inPicture({ clientX, clientY }) {
    const box = svg.getBoundingClientRect();
    return [clientX - box.left, clientY - box.top];
  }

  pane.addEventListener("pointerdown", (event) => {
    pressed = false;
    if (event.button !== 0) return;
    const target = /** @type {Element} */ (event.target);
    const node = target.closest("[data-token], .playhead");
    const taken = token(node?.getAttribute("data-token") ?? "");
    if (!node || !(taken || (onSeek && target.closest(".playhead-target")))) return;
    pressed = true;
    if (landing?.node === node) clearTimeout(landing.timer);
    held = { id: event.pointerId, node, token: taken ?? null, x: event.clientX, y: event.clientY, by: { dx: 0, dy: 0 }, moved: false };
    // The node may be drawn again while it is held: the pane stays.
    pane.setPointerCapture(event.pointerId);
    event.stopImmediatePropagation();
    event.preventDefault();
  }, { capture: true });

  pane.addEventListener("pointermove", (event) => {
    if (held?.id !== event.pointerId) return;
    event.stopImmediatePropagation();
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    held.moved ||= Math.hypot(dx, dy) > DRAG;
    if (!held.moved) return;
    if (!held.token) return onSeek?.(...inPicture(event));
    const scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    held.by = { dx: dx * scale, dy: dy * scale };
    held.node.setAttribute("transform", `translate(${held.by.dx} ${held.by.dy})`);
    held.node.classList.toggle("landing", goesTo(held.token, ...inPicture(event)));
  }, { capture: true });

  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
    pane.addEventListener(end, (event) => {
      if (held?.id !== event.pointerId) return;
      event.stopImmediatePropagation();
      const { token: taken, node, by, moved } = held;
      held = null;
      if (!taken) return onSought();
      node.classList.remove("landing");
      const landed = moved && end === "pointerup" && goesTo(taken, ...inPicture(event));
      // It stays where it was let go until it is on its way, or has been refused.
      const goesBack = () => node.removeAttribute("transform");
      if (landed) landing = { node, timer: setTimeout(goesBack, REFUSED_MS) };
      else goesBack();
      if (landed || (!moved && end === "pointerup")) onToken(taken, by);
    }, { capture: true });
  }

  pane.addEventListener("click", (event) => {
    if (pressed) event.stopImmediatePropagation();
    pressed = false;
  }, { capture: true });
}
