/**
 * Finds the run in a file: pictures and traces carry their scenario, and a text file
 * is a scenario. The content tells the kind of the file, because people change
 * names.
 *
 * @typedef {import("./carry.js").Carried} Carried
 */

import { fromPNG, fromSVG } from "./carry.js";
import { Mistake, bounded, utf8 } from "./mistake.js";
import { isPNG } from "./png.js";

/** Largest file, in bytes. The largest of a run is a PNG with 64 million pixels. */
export const MAX_FILE = 32 * 1024 * 1024;

const TRACE = "lockstep.trace";
const TRACE_VERSION = 1;

/** Largest log of a Redis that a server imports, in bytes: web.maxLog. */
export const MAX_LOG = 3 * 1024 * 1024;

/**
 * Reports whether a file is what redis-cli MONITOR printed, or a recording: a line at its beginning has a time and a
 * database. Whoever wrote it may have put a prefix before the time. PowerShell writes UTF-16.
 * @param {Uint8Array} bytes
 */
export function isLog(bytes) {
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const head = new TextDecoder(wide ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8").decode(bytes.subarray(0, 16_384));
  return /^\uFEFF?\{"recording":\d/.test(head) || /\b\d{9,11}\.\d{6} \[\d+ [^\]\n]+\] "/.test(head);
}

/**
 * @param {Uint8Array} bytes
 * @returns {Carried}
 */
export function runIn(bytes) {
  if (bytes.length > MAX_FILE) throw new Mistake("file-large");
  if (isPNG(bytes)) return fromPNG(bytes);
  const text = utf8(bytes, "file-foreign");
  if (text.includes("\0")) throw new Mistake("file-foreign");
  const beginning = text.trimStart();
  if (beginning.startsWith("{")) return fromTrace(beginning);
  if (!beginning.startsWith("<")) return carried(text);
  if (/<svg[\s>]/.test(beginning.slice(0, 4096))) return fromSVG(beginning);
  return fromPage(beginning);
}

/** A page that plays by itself has its trace in a script. @param {string} html @returns {Carried} */
function fromPage(html) {
  const data = /<script[^>]* id="trace"[^>]*>([^<]*)<\/script>/.exec(html);
  if (!data) throw new Mistake("file-foreign");
  return fromTrace(data[1]);
}

/** JSON is one object, NDJSON has its header in the first line. @param {string} text @returns {Carried} */
function fromTrace(text) {
  const header = json(text) ?? json(text.slice(0, text.indexOf("\n")));
  if (header?.format !== TRACE) throw new Mistake("file-foreign");
  if (header.version !== TRACE_VERSION) throw new Mistake("file-newer");
  if (typeof header.scenario !== "string") throw new Mistake("trace-bare");
  return carried(header.scenario, String(header.step ?? ""));
}

/** @param {string} text */
function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} scenario @param {string} [step] @returns {Carried} */
const carried = (scenario, step = "") => ({ scenario: bounded(scenario), step, lang: "" });
