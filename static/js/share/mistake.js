/**
 * The faults of a link or a file, each with its sentence in the
 * catalogue (views/run_share_words.go, share.say.…).
 *
 * @typedef {"link-broken" | "link-empty" | "text-long" | "file-large" | "log-large" | "file-foreign" | "file-broken" | "file-newer" | "picture-bare" | "trace-bare" | "canvas"} Fault
 */

/** Longest scenario text, in bytes: engine.MaxText. */
export const MAX_TEXT = 256 * 1024;

export class Mistake extends Error {
  /** @param {Fault} fault */
  constructor(fault) {
    super(fault);
    this.fault = fault;
  }
}

const encoder = new TextEncoder();

/**
 * Returns the text, unless it is longer than the engine reads.
 * @param {string} text
 */
export function bounded(text) {
  if (text.length > MAX_TEXT || encoder.encode(text).length > MAX_TEXT) throw new Mistake("text-long");
  return text;
}

/**
 * Decodes bytes that should be UTF-8.
 * @param {Uint8Array} bytes
 * @param {Fault} otherwise
 */
export function utf8(bytes, otherwise) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Mistake(otherwise);
  }
}
