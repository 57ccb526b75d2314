/**
 * How much of the room the presenter's page shows: the whole panel, a bar, or only
 * what the class may see, where this screen is the class's too. And the card
 * with which people join.
 */

const VIEW = "room-view";

/**
 * @param {HTMLElement} box
 * @param {{presenter: boolean}} who
 */
export function view(box, { presenter }) {
  if (!presenter) return;
  const single = /** @type {HTMLElement} */ (box.querySelector("#room-single"));
  const fold = /** @type {HTMLElement} */ (box.querySelector("#room-fold"));
  const card = /** @type {HTMLDialogElement} */ (box.querySelector("#join-card"));

  /** @param {string} chosen  open, folded or single */
  function show(chosen) {
    box.dataset.view = chosen;
    single.setAttribute("aria-pressed", String(chosen === "single"));
    fold.setAttribute("aria-expanded", String(chosen === "open"));
    sessionStorage.setItem(VIEW, chosen);
    dispatchEvent(new Event("resize")); // the picture has another size
  }

  single.hidden = fold.hidden = false;
  single.addEventListener("click", () => show(box.dataset.view === "single" ? "open" : "single"));
  fold.addEventListener("click", () => show(box.dataset.view === "open" ? "folded" : "open"));
  show(sessionStorage.getItem(VIEW) ?? "open");

  box.querySelector("#join-open")?.addEventListener("click", (event) => {
    event.preventDefault(); // the address of the link is for those without scripts
    card.showModal();
  });
  box.querySelector("#join-close")?.addEventListener("click", (event) => {
    event.preventDefault();
    card.close();
  });
}
