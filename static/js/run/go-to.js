/**
 * Where in the run to go: the next violation, or a position that the reader names.
 *
 * @typedef {import("../trace/state.js").Event} Event
 */

/**
 * The first violation that begins after a position.
 * @param {Event[]} events
 * @param {number} position
 * @returns {Event | undefined}
 */
export function nextViolation(events, position) {
  return events.find((e) => e.kind === "violation" && e.action > position);
}

/**
 * The small form that opens over the position.
 * @param {HTMLDetailsElement} menu
 * @param {{tip: () => number, position: () => number, onGo: (to: number) => void}} run
 */
export function goToForm(menu, { tip, position, onGo }) {
  const form = /** @type {HTMLFormElement} */ (menu.querySelector("form"));
  const field = /** @type {HTMLInputElement} */ (form.querySelector("input"));
  menu.addEventListener("toggle", () => {
    if (menu.open && menu.contains(document.activeElement)) field.focus(); // by the reader, not by a script
  });
  field.addEventListener("focus", () => {
    field.max = String(tip());
    field.value = String(position());
    field.select();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    menu.open = false;
    menu.querySelector("summary")?.focus();
    onGo(Number(field.value));
  });
}
