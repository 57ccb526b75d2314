/**
 * The presenter's strip on the page: the join card, and the drawers. The browser keeps one drawer open at a time.
 */

/**
 * @param {HTMLElement} box
 * @returns {{refresh: () => void}} refresh: the strip is new
 */
export function view(box) {
  const card = /** @type {HTMLDialogElement} */ (box.querySelector("#join-card"));
  /** Whether the votes were there before. */
  let voting = box.querySelector("#room-votes") !== null;

  /** A poll that begins opens its drawer, whatever stood there. */
  function refresh() {
    const votes = /** @type {HTMLDetailsElement | null} */ (box.querySelector("#room-votes"));
    if (votes && !voting) votes.open = true;
    if (!votes && voting) resize();
    voting = votes !== null;
  }

  /** The picture has another size. */
  function resize() {
    dispatchEvent(new Event("resize"));
  }

  box.addEventListener("toggle", ({ target }) => target instanceof Element && target.matches(".strip-drawer") && resize(), true);
  box.addEventListener("click", (event) => {
    const pressed = /** @type {Element} */ (event.target).closest("button, a")?.id;
    if (pressed !== "join-open" && pressed !== "join-close") return;
    event.preventDefault(); // the addresses of these links are for those without scripts
    if (pressed === "join-open") card.showModal();
    else card.close();
  });
  box.addEventListener("keydown", (event) => {
    const drawer = event.key === "Escape" && event.target instanceof Element ? event.target.closest(".strip-drawer[open]") : null;
    if (!drawer || card.open) return;
    drawer.removeAttribute("open");
    drawer.querySelector("summary")?.focus();
  });
  return { refresh };
}
