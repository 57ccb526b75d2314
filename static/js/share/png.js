/**
 * Text in a PNG file: an iTXt chunk, which every reader of PNG skips that does
 * not know its keyword (PNG specification, 11.3.4.5).
 *
 * @typedef {{type: string, data: Uint8Array, start: number, end: number}} Chunk  start and end of the whole chunk in the file
 */

import { MAX_TEXT, Mistake, utf8 } from "./mistake.js";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** @param {Uint8Array} bytes */
export const isPNG = (bytes) => SIGNATURE.every((byte, i) => bytes[i] === byte);

/**
 * Returns the file with a text added before its end.
 * @param {Uint8Array} bytes  a PNG file
 * @param {string} keyword  1 to 79 Latin letters
 * @param {string} text
 */
export function withText(bytes, keyword, text) {
  const end = chunks(bytes).find((chunk) => chunk.type === "IEND");
  if (!end) throw new Mistake("file-broken");
  const added = textChunk(keyword, text);
  const file = new Uint8Array(bytes.length + added.length);
  file.set(bytes.subarray(0, end.start));
  file.set(added, end.start);
  file.set(bytes.subarray(end.start), end.start + added.length);
  return file;
}

/**
 * Returns the text under a keyword; undefined: there is none.
 * @param {Uint8Array} bytes
 * @param {string} keyword
 * @returns {string | undefined}
 */
export function textOf(bytes, keyword) {
  const begin = [...new TextEncoder().encode(keyword), 0, 0]; // its end, and: not compressed
  const found = chunks(bytes).find(({ type, data }) => type === "iTXt" && begin.every((byte, i) => data[i] === byte));
  if (!found) return undefined;
  const { data } = found;
  const language = begin.length + 1; // behind the method of compression
  const translated = data.indexOf(0, language) + 1;
  const text = data.indexOf(0, translated) + 1;
  if (translated === 0 || text === 0 || crc(typed(found)) !== number(bytes, found.end - 4)) throw new Mistake("file-broken");
  if (data.length - text > MAX_TEXT) throw new Mistake("text-long");
  return utf8(data.subarray(text), "file-broken");
}

/** @param {string} keyword @param {string} text */
function textChunk(keyword, text) {
  const encoder = new TextEncoder();
  // The keyword, no compression, no language and no translated keyword, the text.
  const data = [...encoder.encode(keyword), 0, 0, 0, 0, 0];
  const content = encoder.encode(text);
  const chunk = new Uint8Array(12 + data.length + content.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length + content.length);
  chunk.set(encoder.encode("iTXt"), 4);
  chunk.set(data, 8);
  chunk.set(content, 8 + data.length);
  view.setUint32(chunk.length - 4, crc(chunk.subarray(4, -4)));
  return chunk;
}

/**
 * @param {Uint8Array} bytes
 * @returns {Chunk[]}
 */
function chunks(bytes) {
  if (!isPNG(bytes)) throw new Mistake("file-foreign");
  /** @type {Chunk[]} */
  const found = [];
  for (let start = SIGNATURE.length; start < bytes.length;) {
    const end = start + 12 + (start + 12 <= bytes.length ? number(bytes, start) : 0);
    if (end > bytes.length) throw new Mistake("file-broken");
    const type = String.fromCharCode(...bytes.subarray(start + 4, start + 8));
    found.push({ type, data: bytes.subarray(start + 8, end - 4), start, end });
    start = end;
  }
  return found;
}

/** @param {Uint8Array} bytes @param {number} at */
const number = (bytes, at) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);

/** Returns the part of a chunk that its checksum covers. @param {Chunk} chunk */
const typed = ({ data }) => new Uint8Array(data.buffer, data.byteOffset - 4, data.length + 4);

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/**
 * CRC-32 as PNG computes it (annex D of its specification).
 * @param {Uint8Array} bytes
 */
export function crc(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = TABLE[(c ^ byte) & 0xff] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
