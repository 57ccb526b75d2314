/**
 * Chooses how much of the room the presenter's page shows: the whole panel, a bar,
 * or only what the class may see, when the class sees this screen. It also opens the
 * join card.
 */

const VIEW = "room-view";

/**
 * @param {HTMLElement} box
 * @returns {{refresh: () => void}} refresh: the panel is new
 */
export function view(box) {
  const fold = /** @type {HTMLElement} */ (box.querySelector("#room-fold"));
  const card = /** @type {HTMLDialogElement} */ (box.querySelector("#join-card"));

  /** @param {string} chosen  open, folded or single */
  function choose(chosen) {
    sessionStorage.setItem(VIEW, chosen);
    box.dataset.view = chosen;
    refresh();
    dispatchEvent(new Event("resize")); // the picture has another size
  }

  function refresh() {
    box.querySelector("#room-single")?.setAttribute("aria-pressed", String(box.dataset.view === "single"));
    fold.setAttribute("aria-expanded", String(box.dataset.view === "open"));
  }

  fold.hidden = false;
  box.addEventListener("click", (event) => {
    const pressed = /** @type {Element} */ (event.target).closest("button, a")?.id;
    if (pressed === "room-single") choose(box.dataset.view === "single" ? "open" : "single");
    if (pressed === "room-fold") choose(box.dataset.view === "open" ? "folded" : "open");
    if (pressed !== "join-open" && pressed !== "join-close") return;
    event.preventDefault(); // the addresses of these links are for those without scripts
    if (pressed === "join-open") card.showModal();
    else card.close();
  });
  choose(sessionStorage.getItem(VIEW) ?? "open");
  return { refresh };
}
