/**
 * Carries the open panes and the focus to the next page: a branch, or the same run
 * in the other language.
 */

const PLACE = "place";

/** Panes that stay open; a menu is done with when it leads away. */
const panes = () => /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("main details[id]:not(.menu)"));

export function savePanes() {
  const opened = [...panes()].map(({ id, open }) => [id, open]);
  sessionStorage.setItem(PLACE, JSON.stringify({ opened, focus: document.activeElement?.id ?? "" }));
}

export function restorePanes() {
  const place = sessionStorage.getItem(PLACE);
  sessionStorage.removeItem(PLACE);
  if (!place) return;
  const { opened, focus } = JSON.parse(place);
  const open = new Map(opened);
  for (const pane of panes()) pane.open = open.get(pane.id) ?? pane.open;
  if (focus) document.getElementById(focus)?.focus();
}
