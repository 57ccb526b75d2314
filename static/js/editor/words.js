/**
 * What can be completed at a place of a program or a scenario. The words come from the server, which has them from the engine.
 *
 * @typedef {{of: string, name: string, takes?: string}} Word  of: what it stands behind, as engine/program/words.go says
 * @typedef {{program: Word[], actions: string[], programs: string[]}} Words
 * @typedef {{from: number, words: Word[]}} Choice  from: where the word begins
 */

/** Words that stand behind no other. */
const ALONE = ["", "keyword", "literal"];

/**
 * Returns what a word of a program could become.
 * @param {Words} words
 * @param {string} line  up to the cursor
 * @param {string} text  of the whole program, whose own names count
 * @returns {Choice | null}
 */
export function inProgram({ program }, line, text) {
  const script = /\beval\(\s*"([\w-]*)$/.exec(line);
  if (script) return matching(line, script[1], program.filter(({ of }) => of === "script"));
  if (/#|["']/.test(line.replace(/"[^"]*"|'[^']*'/g, ""))) return null; // in a comment or a string
  const [, typed] = /** @type {RegExpExecArray} */ (/(\w*)$/.exec(line));
  if (/^\d/.test(typed)) return null;
  const behind = /(\w+)\.\w*$/.exec(line)?.[1];
  if (behind) {
    const of = ["storage", "lease"].includes(behind) ? behind : "client";
    return matching(line, typed, program.filter((word) => word.of === of));
  }
  if (typed === "") return null;
  const known = program.filter(({ of }) => ALONE.includes(of));
  const own = [...new Set(text.match(/^[ \t]*\w+(?= = )|(?<=\bdef )\w+|(?<=\bfor )\w+/gm) ?? [])]
    .map((name) => ({ of: "", name: name.trim() }))
    .filter(({ name }) => !known.some((word) => word.name === name));
  return matching(line, typed, [...known, ...own]);
}

/**
 * Returns what a word of a scenario could become.
 * @param {Words} words
 * @param {string} line  up to the cursor
 * @param {string} text  of the whole scenario, whose clients count
 * @returns {Choice | null}
 */
export function inScenario({ actions, programs }, line, text) {
  if (/[#"]/.test(line)) return null;
  const [, before, typed] = /** @type {RegExpExecArray} */ (/^(.*?)(\S*)$/.exec(line));
  const verb = before.trim();
  const begins = actions.filter((action) => action.startsWith(`${verb} `)).map((action) => action.slice(verb.length + 1));
  const clients = [...new Set(text.match(/\b[A-Z][A-Z0-9]{0,7}(?=\s|$)/g) ?? [])].filter((name) => name !== typed);
  if (verb === "") return matching(line, typed, named(actions));
  if (begins.length > 0) return matching(line, typed, named(begins));
  return matching(line, typed, named(/^spawn\b.*\b[A-Z]/.test(verb) ? programs : clients));
}

/** @param {string[]} names */
const named = (names) => names.map((name) => ({ of: "", name }));

/** @param {string} line @param {string} typed @param {Word[]} words @returns {Choice | null} */
function matching(line, typed, words) {
  const found = words.filter(({ name }) => name.startsWith(typed) && name !== typed);
  return found.length > 0 ? { from: line.length - typed.length, words: found } : null;
}
