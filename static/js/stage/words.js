/**
 * Finds the words of a text that name marks of the picture: "C2's DEL", "#8", "lock.foo", "1011". In a text a client, a key, a value or
 * a time is found once, where it comes first; a command each time.
 *
 * @typedef {{from: number, to: number, ref: string}} Word  ref: see timeline/refs.js
 */

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** One of some words, the longest first. @param {string[]} words */
const oneOf = (words) => words.toSorted((a, b) => b.length - a.length).map(escaped).join("|") || "(?!)";

/**
 * @param {string} text
 * @param {import("../timeline/refs.js").Names} names
 * @param {Set<string>} [said]  what has been found there before
 * @returns {Word[]}
 */
export function wordsIn(text, { clients, verbs, keys, values, times }, said = new Set()) {
  const client = `(?<![\\w-])(?<client>${oneOf(clients)})(?![\\w-])`;
  const pattern = new RegExp([
    `${client}(?:(?:['’]s| ?的)\\s?(?:(?<verb>${oneOf(verbs)})(?![\\w])|(?<lock>(?:(?:old|new|expired) )?(?:lock|key)\\b|[旧新]?[锁键](?!值))))?`,
    `(?<![\\w&])#(?<order>\\d+)`,
    `(?<![\\w.:])(?<key>${oneOf(keys)})(?![\\w-]|[.:]\\w)`,
    `(?<![\\w.:-])(?<value>${oneOf(values)})(?![\\w-]|[.:]\\w)`,
    `(?<![\\w.:-])(?<time>${oneOf(times)})(?![\\w-]|[.:]\\w)`,
  ].join("|"), "gu");
  /** @type {Word[]} */
  const found = [];
  for (const match of text.matchAll(pattern)) {
    const { client: who, verb, lock, order, key, value, time } = match.groups ?? {};
    const often = Boolean(order || verb);
    const ref = order ? `#${order}` : verb ? `${who} ${verb}` : lock ? `${who} key` : who ?? (key ? `key ${key}` : value ? `=${value}` : `time ${time}`);
    if (!often && said.has(ref)) continue;
    said.add(ref);
    found.push({ from: match.index, to: match.index + match[0].length, ref });
  }
  return found;
}
