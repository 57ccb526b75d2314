/**
 * Marks the lessons and challenges that the reader has done. The page has the
 * marks hidden (views.mark); this module shows the ones with something to say.
 *
 * @typedef {ReturnType<typeof import("./progress.js").progress>} Progress
 * @typedef {{done: number, lessons: number, solved: number, challenges: number}} Sum
 */

/**
 * Marks the lessons of a list, and counts them.
 * @param {Iterable<Element>} items
 * @param {string} course
 * @param {Progress} kept
 * @param {Record<string, string>} words
 * @returns {Sum}
 */
export function markLessons(items, course, kept, words) {
  const sum = { done: 0, lessons: 0, solved: 0, challenges: 0 };
  for (const item of /** @type {Iterable<HTMLElement>} */ (items)) {
    const { done, challenges } = kept.of(course, item.dataset.lesson ?? "");
    const names = named(item);
    const solved = names.filter((name) => Object.hasOwn(challenges, name)).length;
    const says = [];
    if (done) says.push(words.done);
    if (solved > 0) says.push(names.length === 1 ? words["solved-one"] : fill(words.solved, { solved, challenges: names.length }));
    mark(item, says, done || (names.length > 0 && solved === names.length));
    item.toggleAttribute("data-done", done);
    markChallenges(item, challenges, words);
    sum.done += Number(done);
    sum.lessons++;
    sum.solved += solved;
    sum.challenges += names.length;
  }
  return sum;
}

/**
 * Marks the challenges of a lesson in a list.
 * @param {HTMLElement} item
 * @param {Record<string, import("./progress.js").Solved>} solved
 * @param {Record<string, string>} words
 */
function markChallenges(item, solved, words) {
  for (const challenge of /** @type {NodeListOf<HTMLElement>} */ (item.querySelectorAll("[data-challenge]"))) {
    const name = challenge.dataset.challenge ?? "";
    const actions = Object.hasOwn(solved, name) ? solved[name].actions : undefined;
    const says = actions === undefined ? [] : [actions === 0 ? words["solved-by"] : fill(words["solved-in"], { n: actions })];
    mark(challenge, says, true);
  }
}

/** Writes the mark of an element. @param {HTMLElement} of @param {string[]} says  none: there is no mark @param {boolean} whole  with the sign for what is done */
function mark(of, says, whole) {
  const shown = /** @type {HTMLElement | null} */ (of.querySelector("[data-mark]"));
  if (!shown) return;
  shown.hidden = says.length === 0;
  shown.querySelector("[data-when]")?.toggleAttribute("hidden", !whole);
  const text = shown.querySelector("[data-says]");
  if (text) text.textContent = says.join(" · ");
}

/** Returns the challenges of a lesson in a list. @param {HTMLElement} item */
function named(item) {
  return (item.dataset.challenges ?? "").split(" ").filter(Boolean);
}

/**
 * Fills a sentence with its numbers and names.
 * @param {string} sentence
 * @param {Record<string, string | number>} values
 */
export function fill(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}
