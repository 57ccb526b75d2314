/**
 * Puts a run into its picture: into the metadata of an SVG, or into text chunks of a
 * PNG. The picture carries the scenario.
 *
 * @typedef {object} Carried
 * @property {string} scenario  its text
 * @property {string} step  a position as a link says it; empty: where the run is ready to be played
 * @property {string} lang  in which it was drawn; empty: not said
 */

import { Mistake, bounded } from "./mistake.js";
import { textOf, withText } from "./png.js";

const NAMESPACE = "urn:lockstep";
const KEYWORD = "lockstep-scenario";

/** Characters that XML 1.0 cannot hold, or would change. */
export const NOT_IN_XML = /[^\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/**
 * Returns the SVG file with the run in it.
 * @param {string} svg  a serialised svg element with content
 * @param {Carried} carried
 */
export function intoSVG(svg, { scenario, step, lang }) {
  const strange = scenario.search(NOT_IN_XML) >= 0;
  const attributes = [`xmlns="${NAMESPACE}"`, ...pair("step", step), ...pair("lang", lang), ...pair("as", strange ? "json" : "")];
  const text = escape(strange ? unusual(JSON.stringify(scenario)) : scenario);
  const begun = svg.indexOf(">") + 1; // no attribute has one: a serialiser writes &gt;
  return `${svg.slice(0, begun)}<metadata><scenario ${attributes.join(" ")}>${text}</scenario></metadata>${svg.slice(begun)}`;
}

/**
 * @param {string} svg  the text of a file
 * @returns {Carried}
 */
export function fromSVG(svg) {
  const open = /<((?:[\w.-]+:)?scenario)\b([^<>]*)>/.exec(svg);
  const close = open ? svg.indexOf(`</${open[1]}`, open.index) : -1;
  if (!open || close < 0 || !svg.includes(NAMESPACE)) throw new Mistake("picture-bare");
  let scenario = unescape(svg.slice(open.index + open[0].length, close));
  if (attribute(open[2], "as") === "json") scenario = parsed(scenario);
  return { scenario: bounded(scenario), step: attribute(open[2], "step"), lang: attribute(open[2], "lang") };
}

/**
 * Returns the PNG file with the run in it.
 * @param {Uint8Array} png
 * @param {Carried} carried
 */
export function intoPNG(png, { scenario, step, lang }) {
  return [["step", step], ["lang", lang]].reduce(
    (file, [name, value]) => (value ? withText(file, `lockstep-${name}`, value) : file),
    withText(png, KEYWORD, scenario),
  );
}

/**
 * @param {Uint8Array} png
 * @returns {Carried}
 */
export function fromPNG(png) {
  const scenario = textOf(png, KEYWORD);
  if (scenario === undefined) throw new Mistake("picture-bare");
  return { scenario, step: textOf(png, "lockstep-step") ?? "", lang: textOf(png, "lockstep-lang") ?? "" };
}

/** @param {string} name @param {string} value */
const pair = (name, value) => (value ? [`${name}="${escape(value)}"`] : []);

/** @param {string} attributes @param {string} name */
const attribute = (attributes, name) => unescape(new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1] ?? "");

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** @param {string} text */
const escape = (text) => text.replace(/[&<>"]/g, (c) => ENTITIES[c]);

/** JSON leaves DEL and the two last characters of a plane as they are. @param {string} json */
const unusual = (json) => json.replace(/[\ufffe\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);

/** @param {string} text */
function unescape(text) {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g, (whole, decimal, hex, name) => {
    if (name) return { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }[/** @type {string} */ (name)] ?? whole;
    const code = decimal ? parseInt(decimal, 10) : parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** @param {string} json */
function parsed(json) {
  try {
    return String(JSON.parse(json));
  } catch {
    throw new Mistake("file-broken");
  }
}
