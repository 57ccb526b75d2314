/**
 * Carries the open panes and the focus to the next page: a branch, or the same run
 * in the other language.
 */

import { focusNear, wayTo } from "./focus.js";
import { handOn, takeOver } from "./kept.js";

const PLACE = "place";

/** Panes that stay open; most menus are done with when they lead away. */
const panes = () => /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(":is(main, #room-box) details[id]:is(:not(.menu), .stays)"));

export function savePanes() {
  const opened = [...panes()].map(({ id, open }) => [id, open]);
  handOn(PLACE, JSON.stringify({ opened, focus: wayTo(document.activeElement) }));
}

export function restorePanes() {
  const place = takeOver(PLACE);
  if (!place) return;
  const { opened, focus } = JSON.parse(place);
  const open = new Map(opened);
  for (const pane of panes()) pane.open = open.get(pane.id) ?? pane.open;
  if (focus.length > 0) focusNear(focus);
}
