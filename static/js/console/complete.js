/**
 * Reads a half-typed line: finds the command, the argument that is being typed,
 * and what could stand there. Nothing here knows the page.
 *
 * @typedef {object} CommandHelp  as web/help.go makes it, in the reader's language
 * @property {string} name
 * @property {string} syntax  SET key value [NX | XX] …
 * @property {string[]} [forms]  the only ways in which it can be written here
 * @property {string} summary
 * @property {string} since
 * @property {string} complexity
 * @property {string} categories
 * @property {{reply: string, meaning: string}[]} replies
 * @property {string} [deprecated]
 *
 * @typedef {{text: string, hint: string}} Choice
 * @typedef {object} Reading
 * @property {CommandHelp | undefined} help  of the command that is typed
 * @property {string[]} parts  of its syntax
 * @property {number[]} current  which of them the cursor is in
 * @property {number} start  of the word at the cursor
 * @property {number} end
 * @property {Choice[]} choices  what could stand there
 */

import { quote, split } from "./cli.js";

/**
 * @param {string} line
 * @param {number} cursor
 * @param {CommandHelp[]} commands
 * @param {string[]} keys  that exist now
 * @returns {Reading}
 */
export function read(line, cursor, commands, keys) {
  const { words } = split(line);
  const before = words.filter((word) => word.end < cursor).length;
  const word = words[before]?.start <= cursor ? words[before] : { text: "", start: cursor, end: cursor };
  const typed = split(line.slice(word.start, cursor)).words[0]?.text ?? "";
  const { start, end } = word;
  if (before === 0) {
    const help = find(commands, word.text);
    const choices = commands.map(({ name, syntax }) => ({ text: name, hint: syntax.slice(name.length + 1) }));
    return { help, parts: help ? parts(help.syntax) : [], current: [0], start, end, choices: matching(choices, typed) };
  }
  const help = find(commands, words[0].text);
  if (!help) return { help, parts: [], current: [], start, end, choices: [] };
  const texts = words.map((w) => w.text);
  const form = help.forms?.find((f) => f.split(" ")[1] === texts[1]);
  if (help.forms && (before === 1 || form)) {
    const own = parts(form ?? help.syntax);
    const current = before < own.length ? [before] : [];
    return { help, parts: own, current, start, end, choices: matching(ofForms(help.forms, form, before, keys), typed) };
  }
  const own = parts(help.syntax);
  const { current, expected } = place(own, texts, before);
  return { help, parts: own, current, start, end, choices: matching(candidates(expected, keys), typed) };
}

/**
 * Returns the line with the word at the cursor replaced, and the cursor after it.
 * @param {string} line
 * @param {Reading} reading
 * @param {string} text
 */
export function accept(line, { start, end }, text) {
  const rest = line.slice(end);
  const begun = `${line.slice(0, start)}${text} `;
  return { line: begun + rest.trimStart(), cursor: begun.length };
}

/** @param {CommandHelp[]} commands @param {string} name */
function find(commands, name) {
  return commands.find((command) => command.name === name.toUpperCase());
}

/**
 * Returns the parts of a syntax: words, and options with their brackets.
 * @param {string} syntax
 */
export function parts(syntax) {
  return syntax.match(/\[(?:[^[\]]|\[[^\]]*\])*\]|\S+/g) ?? [];
}

/**
 * Returns the parts to which the argument at index may belong, and what they expect there:
 * names of arguments, or words in capitals that stand for themselves: key, NX, EX seconds.
 * @param {string[]} own  parts of the syntax
 * @param {string[]} words
 * @param {number} index
 * @returns {{current: number[], expected: string[]}}
 */
function place(own, words, index) {
  const required = own.filter((part) => !part.startsWith("[")).length;
  if (index < required) return { current: [index], expected: [own[index]] };
  if (own[required]?.endsWith(" ...]")) {
    const group = own[required].slice(1, -" ...]".length).split(" ");
    return { current: [required], expected: [group[(index - required) % group.length]] };
  }
  const groups = own.map((part) => (part.startsWith("[") ? part.slice(1, -1).split(" | ") : []));
  const holds = (/** @type {string[]} */ group, /** @type {string | undefined} */ word) =>
    group.find((option) => option.split(" ")[0] === word?.toUpperCase());
  // The value of an option, such as the milliseconds of PX.
  const valued = index > required ? groups.findIndex((group) => holds(group, words[index - 1])?.includes(" ")) : -1;
  if (valued >= 0) return { current: [valued], expected: [holds(groups[valued], words[index - 1])?.split(" ")[1] ?? ""] };
  const others = words.slice(required).filter((_, i) => required + i !== index);
  const open = groups.flatMap((group, i) => (group.length > 0 && !others.some((word) => holds(group, word)) ? [i] : []));
  const fits = (/** @type {string} */ option) => !isLiteral(option) || option.startsWith((words[index] ?? "").toUpperCase());
  const current = open.filter((i) => groups[i].some(fits));
  return { current, expected: current.flatMap((i) => groups[i]) };
}

/**
 * @param {string[]} expected
 * @param {string[]} keys
 * @returns {Choice[]}
 */
function candidates(expected, keys) {
  return expected.flatMap((name) => {
    if (name === "key") return keys.map((key) => ({ text: quote([key]), hint: "" }));
    const [text, ...value] = name.split(" ");
    return isLiteral(name) ? [{ text, hint: value.join(" ") }] : [];
  });
}

/**
 * @param {string[]} forms
 * @param {string | undefined} form  the one that is being written
 * @param {number} index
 * @param {string[]} keys
 * @returns {Choice[]}
 */
function ofForms(forms, form, index, keys) {
  if (index === 1) return forms.map((f) => f.split(" ")).map(([, name, ...rest]) => ({ text: name, hint: rest.join(" ") }));
  const word = form?.split(" ")[index] ?? "";
  return /^\d+$/.test(word) ? [{ text: word, hint: "" }] : candidates([word], keys);
}

/** @param {string} word */
function isLiteral(word) {
  return /^[A-Z]/.test(word);
}

/**
 * Returns the choices that begin with the typed text, unless the text itself is the only one.
 * @param {Choice[]} choices
 * @param {string} typed
 */
function matching(choices, typed) {
  const found = choices.filter(({ text }) => {
    const plain = split(text).words[0]?.text ?? "";
    return isLiteral(text) ? plain.toUpperCase().startsWith(typed.toUpperCase()) : plain.startsWith(typed);
  });
  return found.length === 1 && found[0].text.toUpperCase() === typed.toUpperCase() ? [] : found;
}
