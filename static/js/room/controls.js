/**
 * Shows each control of a panel to those who may use its verb now. The panel is the same for everybody of a role.
 * @param {ParentNode} panel
 * @param {string} may  verbs, with blanks between them
 */
export function showControls(panel, may) {
  const verbs = may.split(" ");
  for (const control of /** @type {NodeListOf<HTMLElement>} */ (panel.querySelectorAll("[data-verb]"))) {
    control.hidden = !verbs.includes(control.dataset.verb ?? "");
  }
}
