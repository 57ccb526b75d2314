/**
 * Moves through the marks by keyboard: one stop for Tab, arrow keys from mark to mark
 * in order of events and from lane to lane, Enter to select.
 *
 * @typedef {{seq: number, lane: string, at: number}} Stop  at: px along the axis
 */

/**
 * @param {HTMLElement} pane
 * @param {object} picture
 * @param {() => Element[]} picture.marks  those that are drawn and can be stopped at
 * @param {(seq: number) => Stop} picture.stop
 * @param {() => string[]} picture.lanes  from the first to the last
 * @param {() => "x" | "y"} picture.axis
 * @param {(direction: number, seq: number) => void} picture.bring  scrolls what comes after a mark, or before it, into the window
 * @param {(seq: number) => void} picture.reveal
 * @param {(seq: number) => void} picture.onFocus  0: none has it
 * @param {(seq: number) => void} picture.onSelect
 */
export function roving(pane, { marks, stop, lanes, axis, bring, reveal, onFocus, onSelect }) {
  const seqOf = (/** @type {Element} */ mark) => Number(mark.getAttribute("data-seq"));

  /** @param {Element | null | undefined} target @returns {Element | null} */
  const markOf = (target) => target?.closest('[data-seq][role="button"]') ?? null;

  /** @param {Element | undefined} mark */
  function focus(mark) {
    if (!mark) return;
    only(mark);
    reveal(seqOf(mark));
    /** @type {SVGElement} */ (mark).focus({ preventScroll: true });
  }

  /** @param {Element} mark */
  function only(mark) {
    for (const other of marks()) if (other !== mark && other.getAttribute("tabindex") === "0") other.setAttribute("tabindex", "-1");
    mark.setAttribute("tabindex", "0");
  }

  /** @param {number} seq @param {number} direction */
  function along(seq, direction) {
    const next = () => {
      const ahead = marks().filter((m) => (seqOf(m) - seq) * direction > 0);
      return ahead.reduce((a, b) => ((seqOf(b) - seqOf(a)) * direction < 0 ? b : a), ahead[0]);
    };
    if (!next()) bring(direction, seq);
    focus(next());
  }

  /** @param {number} seq @param {number} direction */
  function across(seq, direction) {
    const from = stop(seq);
    const names = lanes();
    const stops = marks().map((mark) => ({ mark, ...stop(seqOf(mark)) }));
    for (let i = names.indexOf(from.lane) + direction; i >= 0 && i < names.length; i += direction) {
      const there = stops.filter((s) => s.lane === names[i]);
      if (there.length === 0) continue;
      return focus(there.reduce((a, b) => (Math.abs(b.at - from.at) < Math.abs(a.at - from.at) ? b : a)).mark);
    }
  }

  pane.addEventListener("keydown", (event) => {
    const mark = markOf(/** @type {Element} */ (event.target));
    if (!mark || event.ctrlKey || event.altKey || event.metaKey) return;
    const seq = seqOf(mark);
    const [back, on, up, down] = axis() === "x" ? ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] : ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
    switch (event.key) {
      case on: along(seq, 1); break;
      case back: along(seq, -1); break;
      case up: across(seq, -1); break;
      case down: across(seq, 1); break;
      case "Enter":
      case " ": onSelect(seq); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  });

  pane.addEventListener("focusin", (event) => {
    const mark = markOf(/** @type {Element} */ (event.target));
    if (mark) only(mark);
    onFocus(mark ? seqOf(mark) : 0);
  });
  pane.addEventListener("focusout", () => onFocus(0));

  return {
    /** After drawing: Tab leads to the mark that had the stop, or else to the one at a place. @param {number} seq */
    settle(seq) {
      const all = marks();
      if (all.length === 0 || all.some((m) => m.getAttribute("tabindex") === "0")) return;
      const at = stop(seq).at;
      const nearest = all.reduce((a, b) => (Math.abs(stop(seqOf(b)).at - at) < Math.abs(stop(seqOf(a)).at - at) ? b : a));
      nearest.setAttribute("tabindex", "0");
    },
  };
}
