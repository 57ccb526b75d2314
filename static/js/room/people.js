/**
 * Finds people in the presenter's list by name: nobody reads through a class of
 * three hundred. Without scripts there is the list.
 */

/**
 * Reports whether every word occurs in the text about somebody.
 * @param {string} written
 * @param {string} words
 */
export function meant(written, words) {
  const text = written.toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/**
 * @param {HTMLElement} box
 * @returns {{refresh: () => void}} refresh: the panel is new
 */
export function people(box) {
  function refresh() {
    const find = /** @type {HTMLInputElement | null} */ (box.querySelector("#people-find"));
    const label = /** @type {HTMLElement | null | undefined} */ (find?.closest("label"));
    if (label) label.hidden = false;
    for (const person of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(".person"))) {
      person.hidden = !meant(person.textContent ?? "", find?.value ?? "");
    }
  }

  box.addEventListener("input", ({ target }) => target instanceof HTMLElement && target.id === "people-find" && refresh());
  // Enter in the search field would submit the form, and hand the run over.
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLElement && event.target.id === "people-find") event.preventDefault();
  });
  return { refresh };
}
