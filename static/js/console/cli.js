/**
 * Reads a line and shows a reply as redis-cli does. engine/redis/cli.go does the
 * same on the server; engine/redis/testdata/cli.json is tested on both.
 *
 * A word may be any bytes. JavaScript has no such string: a byte that is not UTF-8 is half a surrogate pair, \udc80 to \udcff.
 *
 * @typedef {{text: string, start: number, end: number}} Word  where it stands in the line, quotes included
 */

/** @type {Record<string, string>} any other character after a backslash stands for itself */
const ESCAPES = { n: "\n", r: "\r", t: "\t", b: "\b", a: "\x07" };

/**
 * Splits a line into words: "…" with escapes, '…' without.
 * @param {string} line
 * @returns {{words: Word[], closed: boolean}}  closed: every quote ends, and ends its word
 */
export function split(line) {
  /** @type {Word[]} */
  const words = [];
  let closed = true;
  let at = 0;
  while (at < line.length) {
    if (isSpace(line[at])) {
      at++;
      continue;
    }
    const start = at;
    let text = "";
    while (at < line.length && !isSpace(line[at])) {
      if (line[at] !== '"' && line[at] !== "'") {
        text += line[at++];
        continue;
      }
      const read = quoted(line, at);
      text += read.text;
      at = read.end;
      if (!read.closed || (at < line.length && !isSpace(line[at]))) closed = false;
    }
    words.push({ text, start, end: at });
  }
  return { words, closed };
}

/**
 * Reads the quoted text that begins there.
 * @param {string} line
 * @param {number} start
 */
function quoted(line, start) {
  const quote = line[start];
  const double = quote === '"';
  let text = "";
  /** @type {number[]} bytes given as \xHH, until they make characters */
  let bytes = [];
  const flush = () => {
    text += decode(bytes);
    bytes = [];
  };
  let at = start + 1;
  while (at < line.length && line[at] !== quote) {
    const byte = double && line.slice(at).match(/^\\x([0-9a-f]{2})/i);
    if (byte) {
      bytes.push(parseInt(byte[1], 16));
      at += 4;
      continue;
    }
    flush();
    const next = line[at + 1];
    if (line[at] === "\\" && next !== undefined && (double || next === "'")) {
      text += (double && ESCAPES[next]) || next;
      at += 2;
    } else {
      text += line[at++];
    }
  }
  flush();
  const closed = at < line.length;
  return { text, end: closed ? at + 1 : at, closed };
}

/** Reads bytes as UTF-8, and each of the others by itself. @param {number[]} bytes */
function decode(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at];
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    try {
      text += UTF8.decode(new Uint8Array(bytes.slice(at, at + length)));
      at += length;
    } catch {
      text += String.fromCharCode(0xdc00 + lead);
      at++;
    }
  }
  return text;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param {string} character */
function isSpace(character) {
  return " \t\r\n".includes(character);
}

/**
 * Writes words so that split, and scenario text, read them back unchanged.
 * @param {string[]} words
 */
export function quote(words) {
  return words.map((word) => (/^[^\0- "'#\\\x7f-\u{10ffff}]+$/u.test(word) ? word : `"${word.replace(/["\\]|[\0-\x1f\x7f]|\p{Cs}/gu, escaped)}"`)).join(" ");
}

/** @param {string} character */
function escaped(character) {
  const letter = Object.keys(ESCAPES).find((key) => ESCAPES[key] === character);
  if (letter || character === '"' || character === "\\") return `\\${letter ?? character}`;
  return `\\x${(character.charCodeAt(0) & 0xff).toString(16).padStart(2, "0")}`;
}

/**
 * Writes a reply as redis-cli shows it on a terminal: an array has a numbered line for
 * each of its values.
 * @param {string} text  execution.reply.text of an event
 */
export function lines(text) {
  if (!text.startsWith("[")) return [text];
  const values = text.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|[^,\s][^,]*/g) ?? [];
  const width = String(values.length).length;
  return values.map((value, i) => `${String(i + 1).padStart(width)}) ${value}`);
}
