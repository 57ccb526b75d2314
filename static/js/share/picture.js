/**
 * Writes the timeline as a file: a picture that looks the same everywhere, because it
 * carries its colours and needs no style sheet.
 */

import { approximate, fitted } from "../timeline/text.js";
import { NOT_IN_XML, intoPNG, intoSVG } from "./carry.js";
import { Mistake } from "./mistake.js";

/**
 * @typedef {import("./carry.js").Carried} Carried
 * @typedef {{title: string, address: string}} Label  what stands over the picture: the run, and where it is
 */

const SVG = "http://www.w3.org/2000/svg";

/** The properties that change the drawing, with their initial values. */
const PROPERTIES = Object.entries({
  "fill": "rgb(0, 0, 0)", "stroke": "none", "stroke-width": "1px", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter",
  "paint-order": "normal", "font-family": "", "font-size": "", "font-weight": "400",
});

/** The same for properties that children do not inherit. */
const OWN = Object.entries({ "opacity": "1", "text-decoration-line": "none" });

/** Above the drawing there is that much room for the name of the site and the label, and that much width at least, px. */
const HEAD = { height: 64, width: 480, edge: 16, mark: 28 };

/** Firefox makes no canvas with a longer side; a larger one takes more memory than a picture is worth. */
const MAX_SIDE = 32_767;
const MAX_AREA = 64 * 1024 * 1024;

/**
 * @param {SVGSVGElement} drawn  the whole timeline, by itself
 * @param {Label} label
 * @param {Carried} carried
 */
export function svgFile(drawn, label, carried) {
  return intoSVG(markup(standalone(drawn, label)), carried);
}

/**
 * Twice the resolution of the screen, or as much as a canvas takes; below that of the
 * screen nobody could read it.
 * @param {SVGSVGElement} drawn
 * @param {Label} label
 * @param {Carried} carried
 */
export async function pngFile(drawn, label, carried) {
  const picture = standalone(drawn, label);
  const { width, height } = picture.viewBox.baseVal;
  const scale = Math.min(2, MAX_SIDE / width, MAX_SIDE / height, Math.sqrt(MAX_AREA / (width * height)));
  if (scale < 1) throw new Mistake("canvas");
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(markup(picture))}`;
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

/** As text, without the characters that XML does not allow. @param {SVGSVGElement} picture */
const markup = (picture) => new XMLSerializer().serializeToString(picture).replace(NOT_IN_XML, "\ufffd");

/** @param {SVGSVGElement} drawn @param {Label} label */
function standalone(drawn, label) {
  const place = document.createElement("div");
  place.hidden = true;
  place.append(drawn);
  document.body.append(place); // an element outside the page has no style
  try {
    return dressed(drawn, label);
  } finally {
    place.remove();
  }
}

/** @param {SVGSVGElement} drawn @param {Label} label */
function dressed(drawn, label) {
  const width = Math.max(HEAD.width, drawn.viewBox.baseVal.width);
  const height = HEAD.height + drawn.viewBox.baseVal.height;
  const picture = made("svg", { viewBox: `0 0 ${width} ${height}`, width, height });
  const below = made("g", { transform: `translate(0 ${HEAD.height})` });
  for (const child of drawn.children) below.append(...copied(child, Object.fromEntries(PROPERTIES)));
  picture.append(made("rect", { width, height, fill: getComputedStyle(document.documentElement).backgroundColor }), ...labelled(label, width), below);
  return picture;
}

/** The name of the site, the run and its address. @param {Label} label @param {number} width */
function labelled({ title, address }, width) {
  const { color: fill, fontFamily } = getComputedStyle(document.body);
  const mark = /** @type {SVGSVGElement | null} */ (document.querySelector("svg.mark"));
  const inner = mark ? copied(mark, Object.fromEntries(PROPERTIES)) : [];
  for (const node of inner) set(node, { x: HEAD.edge, y: 10, width: HEAD.mark, height: HEAD.mark });
  const left = HEAD.edge + (mark ? HEAD.mark + 8 : 0);
  const begins = left + approximate("Lockstep", 18) + 16;
  /** @param {string} words @param {number} x @param {number} y @param {number} size @param {number} weight */
  const text = (words, x, y, size, weight) => {
    const node = made("text", { x, y, fill, "font-family": fontFamily, "font-size": `${size}px`, "font-weight": weight });
    node.textContent = fitted(words, size, width - HEAD.edge - x, approximate);
    return node;
  };
  return [...inner, text("Lockstep", left, 30, 18, 700), text(title, begins, 30, 16, 600), text(address, HEAD.edge, 54, 12, 400)];
}

/** @template {keyof SVGElementTagNameMap} N @param {N} name @param {Record<string, string | number>} attributes */
function made(name, attributes) {
  const node = document.createElementNS(SVG, name);
  set(node, attributes);
  return node;
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

/** @param {Element} node @param {Record<string, string | number>} attributes */
function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}
