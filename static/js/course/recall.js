/**
 * Questions that come back. The page offers one from an earlier lesson; this module leads to one that the reader has
 * missed, if there is any, and from the outcome back to where the reader was.
 *
 * @typedef {ReturnType<typeof import("./progress.js").progress>} Progress
 */

const RETURNS = "recall";

/** Returns the lessons of a list whose questions wait. @param {HTMLElement} list  has their names @param {string} course @param {Progress} kept */
export function waiting(list, course, kept) {
  return (list.dataset.lessons ?? "").split(" ").filter((lesson) => lesson && kept.waits(course, lesson));
}

/** Leads a link to the question of a lesson. @param {HTMLAnchorElement} link @param {string | undefined} lesson  undefined: it leads where it did */
export function lead(link, lesson) {
  if (lesson) link.href = link.href.replace(/[^/]*\/again$/, `${lesson}/again`);
}

/**
 * Leads the links of a card. A card without one is left as it is.
 * @param {string} course
 * @param {boolean} question  the card is a question's
 * @param {Progress} kept
 */
export function leads(course, question, kept) {
  const link = /** @type {HTMLAnchorElement | null} */ (document.getElementById("recall"));
  if (link) {
    const [first] = waiting(link, course, kept);
    lead(link, first);
    if (link.dataset.missed !== undefined) link.hidden = first === undefined;
    link.onclick = () => question || leave();
  }
  const back = /** @type {HTMLAnchorElement | null} */ (document.getElementById("task-return"));
  const from = back && returns();
  if (!back || !from || back.textContent === back.dataset.back) return;
  back.href = from;
  back.textContent = back.dataset.back ?? "";
}

/** Remembers in this window where the reader leaves for a question. */
export function leave() {
  try {
    sessionStorage.setItem(RETURNS, location.pathname + location.search);
  } catch {
    // the way back leads to the course
  }
}

function returns() {
  try {
    return sessionStorage.getItem(RETURNS);
  } catch {
    return null;
  }
}
