/**
 * Searches the list of events: hides rows without the words, and Enter goes from
 * match to match.
 *
 * @typedef {import("../trace/state.js").Event} Event
 */

/**
 * Returns the events whose row has a text, in its number and lane too.
 * @param {Event[]} events
 * @param {string} text
 * @param {"en" | "zh"} lang
 */
export function find(events, text, lang) {
  const wanted = text.toLowerCase();
  return events.filter((e) => [String(e.seq), String(e.time / 1000), e.lane ?? "", e.sentence[lang]].some((cell) => cell.toLowerCase().includes(wanted)));
}

/**
 * @param {HTMLElement} root  has the field
 * @param {object} options
 * @param {"en" | "zh"} options.lang
 * @param {Record<string, string>} options.words
 * @param {{only: (found?: Event[]) => void, selected: () => number}} options.list
 * @param {(seq: number) => void} options.onSelect
 */
export function search(root, { lang, words, list, onSelect }) {
  const box = /** @type {HTMLElement} */ (root.querySelector("#search-box"));
  const field = /** @type {HTMLInputElement} */ (root.querySelector("#search"));
  const count = /** @type {HTMLElement} */ (root.querySelector("#search-count"));
  /** @type {Event[]} */
  let log = [];
  let sought = "";
  /** @type {Event[]} */
  let found = [];

  /** @param {Event[]} events */
  function refresh(events) {
    const text = field.value.trim();
    const known = text === sought && (events === log || !text);
    [log, sought] = [events, text];
    if (known) return;
    found = text ? find(events, text, lang) : [];
    list.only(text ? found : undefined);
    count.textContent = text ? words.found.replace("{n}", String(found.length)).replace("{all}", String(events.length)) : "";
  }

  /** @param {number} direction */
  function go(direction) {
    if (found.length === 0) return;
    const at = found.findIndex((e) => e.seq === list.selected());
    const next = at < 0 && direction < 0 ? found.length - 1 : (at + direction + found.length) % found.length;
    onSelect(found[next].seq);
  }

  field.addEventListener("input", () => refresh(log));
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return; // the input method uses Enter and Escape
    if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape" && field.value) {
      field.value = "";
      refresh(log);
    } else return;
    event.preventDefault();
  });
  box.hidden = false;
  return { refresh };
}
