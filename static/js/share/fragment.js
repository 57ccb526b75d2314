/**
 * Scenario text ⇄ the code of a link: raw deflate, then base64url without padding. A short link has its code where the server, and
 * with it a chat, sees the run (web/runpages/link.go reads it). The code of a longer link is its fragment, which stays in the browser.
 */

import { MAX_TEXT, Mistake, bounded, utf8 } from "./mistake.js";

/** Deflate never makes text this much longer: a longer fragment is no link of ours. */
const MAX_FRAGMENT = Math.ceil((MAX_TEXT + 1024) / 3) * 4;

/** The decompressor takes slices of this size: deflate gives at most 1,032 bytes for one, so a bomb has no room. */
const SLICE = 512;

/** Links with so many characters in all are short: web/runpages.MostCode. */
const SHORT = 1_500;

/**
 * Returns the link that carries a run.
 * @param {string} page  the address of the page for links
 * @param {string} code  of the run
 * @param {string} step  where it opens; empty: where the page chooses
 */
export function linkTo(page, code, step) {
  const at = step && `step=${step}`;
  const short = `${page}?${at && `${at}&`}s=${code}`;
  return short.length > SHORT ? `${page}${at && `?${at}`}#${code}` : short;
}

/**
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function encode(text) {
  const bytes = new TextEncoder().encode(bounded(text));
  const deflated = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return base64url(new Uint8Array(await new Response(deflated).arrayBuffer()));
}

/**
 * @param {string} fragment  without its #
 * @returns {Promise<string>}
 */
export async function decode(fragment) {
  if (fragment === "") throw new Mistake("link-empty");
  if (fragment.length > MAX_FRAGMENT) throw new Mistake("text-long");
  const inflated = await inflate(bytesOf(fragment));
  return utf8(inflated, "link-broken");
}

/**
 * Inflates, and stops as soon as there is more than a scenario may have.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function inflate(bytes) {
  let at = 0;
  /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */
  const source = new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + SLICE));
      at += SLICE;
    },
  }, { highWaterMark: 0 });
  const reader = source.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const text = new Uint8Array(MAX_TEXT);
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text.subarray(0, length);
      if (length + value.length > MAX_TEXT) throw new Mistake("text-long");
      text.set(value, length);
      length += value.length;
    }
  } catch (error) {
    reader.cancel().catch(() => {}); // it may have failed by itself already
    throw error instanceof Mistake ? error : new Mistake("link-broken");
  }
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {string} text */
function bytesOf(text) {
  if (!/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) throw new Mistake("link-broken");
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}
