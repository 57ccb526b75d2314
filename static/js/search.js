/**
 * Looks for words in the list of events: rows without them are left out, and
 * Enter goes from one that has them to the next.
 */

/**
 * @param {HTMLElement} root  has the field and the rows
 * @param {{words: Record<string, string>, onSelect: (seq: number) => void}} options
 * @returns {{refresh: () => void}}  refresh: rows have been added
 */
export function search(root, { words, onSelect }) {
  const box = /** @type {HTMLElement} */ (root.querySelector("#search-box"));
  const field = /** @type {HTMLInputElement} */ (root.querySelector("#search"));
  const count = /** @type {HTMLElement} */ (root.querySelector("#search-count"));
  const rows = /** @type {HTMLElement} */ (root.querySelector("#event-rows"));
  let searching = false;

  function refresh() {
    const text = field.value.trim().toLowerCase();
    if (!text && !searching) return;
    searching = text !== "";
    let found = 0;
    for (const row of /** @type {HTMLCollectionOf<HTMLElement>} */ (rows.children)) {
      row.hidden = searching && !has(row, text);
      if (!row.hidden) found++;
    }
    count.textContent = searching ? words.found.replace("{n}", String(found)).replace("{all}", String(rows.children.length)) : "";
  }

  /** @param {number} direction */
  function go(direction) {
    const found = /** @type {HTMLElement[]} */ ([...rows.children]).filter((row) => !row.hidden);
    if (found.length === 0) return;
    const at = found.findIndex((row) => row.classList.contains("selected"));
    const next = at < 0 && direction < 0 ? found.length - 1 : (at + direction + found.length) % found.length;
    onSelect(Number(found[next].dataset.seq));
  }

  field.addEventListener("input", refresh);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return; // Enter and Escape are the input method's
    if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape" && field.value) {
      field.value = "";
      refresh();
    } else return;
    event.preventDefault();
  });
  box.hidden = false;
  return { refresh };
}

/** Whether a row has the text, its lane or its number included. @param {HTMLElement} row @param {string} text */
function has(row, text) {
  return [...row.children].some((cell) => cell.textContent?.toLowerCase().includes(text));
}
