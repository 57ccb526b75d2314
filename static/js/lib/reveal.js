/**
 * Brings an element into view in every pane that scrolls by itself, as little as
 * needed. The page stays where it is: it would take the picture out of view.
 *
 * @param {Element | null | undefined} element
 */
export function reveal(element) {
  for (let pane = element?.parentElement; element && pane && pane !== document.body; pane = pane.parentElement) {
    if (!["auto", "scroll"].includes(getComputedStyle(pane).overflowY)) continue;
    const [seen, wanted] = [pane.getBoundingClientRect(), element.getBoundingClientRect()];
    if (wanted.top < seen.top) pane.scrollTop -= seen.top - wanted.top;
    else if (wanted.bottom > seen.bottom) pane.scrollTop += Math.min(wanted.bottom - seen.bottom, wanted.top - seen.top);
  }
}
