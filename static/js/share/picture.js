/**
 * Writes the timeline as a file: a picture that looks the same everywhere, because it
 * carries its colours and needs no style sheet.
 */

import { NOT_IN_XML, intoPNG, intoSVG } from "./carry.js";
import { Mistake } from "./mistake.js";

/** @typedef {import("./carry.js").Carried} Carried */

const SVG = "http://www.w3.org/2000/svg";

/** The properties that change the drawing, with their initial values. */
const PROPERTIES = Object.entries({
  "fill": "rgb(0, 0, 0)", "stroke": "none", "stroke-width": "1px", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter",
  "paint-order": "normal", "font-family": "", "font-size": "", "font-weight": "400",
});

/** The same for properties that children do not inherit. */
const OWN = Object.entries({ "opacity": "1", "text-decoration-line": "none" });

/** Firefox makes no canvas with a longer side; a larger one takes more memory than a picture is worth. */
const MAX_SIDE = 32_767;
const MAX_AREA = 64 * 1024 * 1024;

/**
 * @param {SVGSVGElement} drawn  the whole timeline, by itself
 * @param {Carried} carried
 */
export function svgFile(drawn, carried) {
  return intoSVG(markup(drawn), carried);
}

/**
 * Twice the resolution of the screen, or as much as a canvas takes; below that of the
 * screen nobody could read it.
 * @param {SVGSVGElement} drawn
 * @param {Carried} carried
 */
export async function pngFile(drawn, carried) {
  const { width, height } = drawn.viewBox.baseVal;
  const scale = Math.min(2, MAX_SIDE / width, MAX_SIDE / height, Math.sqrt(MAX_AREA / (width * height)));
  if (scale < 1) throw new Mistake("canvas");
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(markup(drawn))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(width * scale);
  canvas.height = Math.floor(height * scale);
  const pen = canvas.getContext("2d");
  pen?.drawImage(image, 0, 0, canvas.width, canvas.height);
  // A browser that cannot hold so large a canvas returns an empty one without an error.
  if (!pen || pen.getImageData(canvas.width - 1, canvas.height - 1, 1, 1).data[3] === 0) throw new Mistake("canvas");
  /** @type {Blob | null} */
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Mistake("canvas");
  return intoPNG(new Uint8Array(await blob.arrayBuffer()), carried);
}

/** As text, without the characters that XML does not allow. @param {SVGSVGElement} drawn */
const markup = (drawn) => new XMLSerializer().serializeToString(standalone(drawn)).replace(NOT_IN_XML, "\ufffd");

/** @param {SVGSVGElement} drawn */
function standalone(drawn) {
  const place = document.createElement("div");
  place.hidden = true;
  place.append(drawn);
  document.body.append(place); // an element outside the page has no style
  try {
    return dressed(drawn);
  } finally {
    place.remove();
  }
}

/** @param {SVGSVGElement} drawn */
function dressed(drawn) {
  const { width, height } = drawn.viewBox.baseVal;
  const picture = document.createElementNS(SVG, "svg");
  set(picture, { viewBox: `0 0 ${width} ${height}`, width: String(width), height: String(height) });
  const ground = document.createElementNS(SVG, "rect");
  set(ground, { width: String(width), height: String(height), fill: getComputedStyle(document.documentElement).backgroundColor });
  picture.append(ground);
  for (const child of drawn.children) picture.append(...copied(child, Object.fromEntries(PROPERTIES)));
  return picture;
}

/**
 * @param {Element} original
 * @param {Record<string, string>} inherited
 * @returns {Element[]}  none if it is not to be seen
 */
function copied(original, inherited) {
  if (original.tagName === "title") return [/** @type {Element} */ (original.cloneNode(true))];
  const style = getComputedStyle(original);
  if (style.display === "none" || style.visibility === "hidden") return [];
  const copy = /** @type {Element} */ (original.cloneNode(false));
  for (const { name } of [...copy.attributes]) {
    if (/^(class|id|style|tabindex|role|data-.*|aria-.*)$/.test(name)) copy.removeAttribute(name);
  }
  const mine = { ...inherited };
  for (const [name] of PROPERTIES) {
    mine[name] = style.getPropertyValue(name);
    if (mine[name] !== inherited[name]) copy.setAttribute(name, mine[name]);
  }
  for (const [name, usual] of OWN) {
    const value = style.getPropertyValue(name);
    if (value !== usual) copy.setAttribute(name.replace("-line", ""), value);
  }
  copy.append(...[...original.childNodes].flatMap((node) => (node instanceof Element ? copied(node, mine) : [node.cloneNode()])));
  return [copy];
}

/** @param {Element} node @param {Record<string, string>} attributes */
function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}
