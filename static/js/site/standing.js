/**
 * Reads from a page how far the reader has come in its lesson or challenge.
 *
 * A lesson counts its moments. It is solved when its last moment is reached and each of its predictions has an answer;
 * "not sure" is one. The score is the share of right ones. A challenge is solved when the engine says so.
 *
 * @typedef {{score: number, actions: number, par: number}} Solved  actions: of the run that broke the lock; 0: none did
 * @typedef {{done: number, of: number, solved?: Solved}} Standing
 * @typedef {Pick<ReturnType<typeof import("../course/progress.js").progress>, "of">} Progress
 */

/** @param {Document} document @param {Progress} kept @returns {Standing | undefined}  undefined: the page has no task */
export function standing(document, kept) {
  const guide = document.getElementById("guide")?.dataset;
  if (guide) return lesson(guide, document.getElementById("task-box")?.dataset ?? {}, kept);
  const done = document.getElementById("challenge")?.dataset ?? document.getElementById("mend")?.dataset;
  if (!done) return undefined;
  if (done.solved === undefined) return { done: 0, of: 1 };
  return { done: 1, of: 1, solved: { score: 1, actions: Number(done.actions ?? 0), par: Number(done.par ?? 0) } };
}

/** @param {DOMStringMap} guide @param {DOMStringMap} task @param {Progress} kept @returns {Standing} */
function lesson({ reached, moments, over, own, key = "" }, { course = "", lesson = "" }, kept) {
  const came = { done: Number(reached), of: Number(moments) };
  if (over === undefined || own !== undefined) return came;
  const right = new Map(key.split(" ").filter(Boolean).map((pair) => /** @type {[string, string]} */ (pair.split("="))));
  const { guesses } = kept.of(course, lesson);
  const answered = [...right].filter(([moment]) => Object.hasOwn(guesses, moment));
  if (answered.length < right.size) return came;
  const hits = answered.filter(([moment, answer]) => guesses[moment] === answer).length;
  return { ...came, solved: { score: right.size === 0 ? 1 : hits / right.size, actions: 0, par: 0 } };
}
