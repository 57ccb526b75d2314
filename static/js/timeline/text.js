/**
 * Shortens words for narrow places. The mark's title always has the whole text.
 *
 * @typedef {import("../trace/state.js").Call} Call
 * @typedef {(text: string, size: number) => number} Measure  width in px of a text of that size
 */

import { STORAGE } from "../trace/state.js";

// Wide enough for the monospace stack and for every system font we met; a CJK
// character is as wide as it is high.
const EM = 0.615;

/** @type {Map<string, number>} the same few texts come again and again */
const widths = new Map();

/** @type {Measure} */
export function approximate(text, size) {
  let ems = widths.get(text);
  if (ems === undefined) {
    ems = 0;
    for (const character of text) ems += /[\u1100-\u11ff\u2e80-\uffef]/.test(character) ? 1 : EM;
    if (widths.size > 10_000) widths.clear();
    widths.set(text, ems);
  }
  return ems * size;
}

/** Looks at no more of the text than it shows. @param {string} text @param {number} most */
export function shorten(text, most) {
  if (text.length <= most) return text;
  const characters = [...text.slice(0, 2 * most)];
  return text.length > 2 * most || characters.length > most ? characters.slice(0, most - 1).join("") + "…" : text;
}

/**
 * Shortens a text to a width. It measures about as much of the text as it shows: a stranger may have written the rest.
 * @param {string} text @param {number} size @param {number} room px @param {Measure} measure
 */
export function fitted(text, size, room, measure) {
  /** @param {number} most */
  const fit = (most) => measure(shorten(text, most), size) <= room;
  if (text.length <= 32 && fit(text.length)) return text;
  let fits = 1; // one letter always stands there
  let over = 2;
  while (over < text.length && fit(over)) {
    fits = over;
    over *= 2;
  }
  if (over >= text.length) {
    if (fit(text.length)) return text;
    over = text.length;
  }
  while (over - fits > 1) {
    const most = (fits + over) >> 1;
    if (fit(most)) fits = most;
    else over = most;
  }
  return shorten(text, fits);
}

/**
 * A command by its name and the value that it writes: the key is told by its
 * band, the options by the title.
 * @param {Call} call
 * @param {string} label
 */
export function commandText({ command }, label) {
  const name = (command[0] ?? "").toUpperCase();
  switch (name) {
    case "SET":
    case "SETNX":
    case "GETSET":
      return `${name} ${shorten(command[2] ?? "", 10)}`;
    case "READ":
    case "WRITE":
    case "COMMIT":
      return label.replace(/ uncommitted$/, ""); // its mark says so
    case "EVAL":
      return shorten(label.split(" ")[1] ?? name, 20);
    default:
      return shorten(name, 16);
  }
}

/** A command without the value that it writes. @param {Call} call @param {string} label */
export function verbText(call, label) {
  const verb = (call.command[0] ?? "").toUpperCase();
  return ["SET", "SETNX", "GETSET"].includes(verb) ? verb : commandText(call, label);
}

/** Reports whether a reply is a value that was read: it is quoted. @param {string} reply */
export const isValue = (reply) => reply.startsWith('"');

/** A reply without its type: `(integer) 1` is 1, `"1011"` is 1011, `(nil)` is nil.
 * @param {string} reply
 */
export function replyText(reply) {
  if (reply.startsWith("(error)")) return "error";
  const quoted = /^"(.*)"$/.exec(reply);
  return shorten(quoted ? quoted[1] : reply.replace(/^\(integer\) /, "").replace(/^\((.*)\)$/, "$1"), 12);
}

/**
 * Shortens who a client is to a width, px. Of an address and a name the name stays. An address keeps its end, which tells it from its
 * neighbours. Where there is no room for as much, nothing is said.
 * @param {string} label @param {number} size @param {number} room @param {Measure} measure
 */
export function labelText(label, size, room, measure) {
  if (measure(label, size) <= room) return label;
  if (measure("…xxxx", size) > room) return "";
  const words = label.split(" ");
  if (words.length > 2 || words[0].endsWith(",")) return fitted(label, size, room, measure);
  const last = words[words.length - 1];
  if (words.length === 2) return fitted(last, size, room, measure);
  if (!/:\d+$/.test(last)) return fitted(last, size, room, measure); // no address
  const letters = [...last];
  let most = letters.length - 1;
  while (most > 4 && measure(`…${letters.slice(-most).join("")}`, size) > room) most--;
  return `…${letters.slice(-most).join("")}`;
}

/**
 * A text in lines, broken at spaces and, where a word is too long or the script
 * has none, between characters.
 * @param {string} text
 * @param {(line: string) => boolean} fits
 * @param {number} most  lines
 */
export function wrapped(text, fits, most) {
  /** @type {string[]} */
  const lines = [];
  let line = "";
  /** @param {string} more */
  const breaks = (more) => {
    if (!line || fits((line + more).trimEnd())) return;
    lines.push(line.trimEnd());
    line = "";
  };
  for (const word of text.match(/[ -~]+?(?: +|$|(?=[^ -~]))|[^ -~]/gu) ?? []) {
    breaks(word);
    for (const character of word) {
      breaks(character);
      line += character;
    }
  }
  lines.push(line.trimEnd());
  if (lines.length <= most) return lines;
  let last = lines[most - 1];
  while (last && !fits(last + "…")) last = last.slice(0, -1);
  return [...lines.slice(0, most - 1), last + "…"];
}

/** A difference: +12 s, −0.5 s.
 * @param {number} ms
 */
export const difference = (ms) => `${ms < 0 ? "−" : "+"}${Math.abs(ms) / 1000} s`;

/** redis is Redis, redis2 is Redis 2, and the storage has its word.
 * @param {string} node
 * @param {{storage: string}} words
 */
export const nodeText = (node, { storage }) => node === STORAGE ? storage : node.replace(/^redis(\d*)$/, (_, n) => (n ? `Redis ${n}` : "Redis"));

/** Says what the storage did with a request: by its number, or by its fencing token where it has no number.
 * @param {{did: string, number?: number, call: Call}} request
 * @param {{accepted: string, rejected: string, read: string, wrote: string, staged: string, committed: string, nothing: string}} words
 */
export function verdictText({ did, number, call }, words) {
  const token = (call.command.at(-1) ?? "").replace("fence=", "");
  if (did === "reject") return fill(words.rejected, { n: token }).trim();
  if (did === "commit" && number === undefined) return words.nothing;
  if (number === undefined) return fill(words.accepted, { n: call.command[1] }).trim();
  const pattern = { read: words.read, stage: words.staged, commit: words.committed }[did] ?? words.wrote;
  return fill(pattern, { n: number });
}

/** Fills "{n} holders: {clients}".
 * @param {string} pattern
 * @param {Record<string, string | number>} values
 */
export const fill = (pattern, values) => pattern.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
