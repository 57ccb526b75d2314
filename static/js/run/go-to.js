/**
 * Opens a small form over the position, and goes to the position that the reader names.
 * @param {HTMLDetailsElement} menu
 * @param {Pick<import("./run.js").Run, "tip" | "position" | "go">} run
 */
export function goToForm(menu, run) {
  const form = /** @type {HTMLFormElement} */ (menu.querySelector("form"));
  const field = /** @type {HTMLInputElement} */ (form.querySelector("input"));
  menu.addEventListener("toggle", () => {
    if (menu.open && menu.contains(document.activeElement)) field.focus(); // by the reader, not by a script
  });
  field.addEventListener("focus", () => {
    field.max = String(run.tip);
    field.value = String(run.position);
    field.select();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    menu.open = false;
    menu.querySelector("summary")?.focus();
    run.go(Number(field.value));
  });
}
