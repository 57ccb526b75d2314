/**
 * A page in a frame of another site. It tells the page around it how high it is, and how far the reader has come:
 * web/PROTOCOL.md describes the messages. Links to the same lesson and its challenges open in the frame, all others in a
 * window of their own. Without this script everything does.
 *
 * @typedef {{score: number, actions: number, par: number}} Solved
 * @typedef {{done: number, of: number, solved?: Solved}} Standing
 */

import { progress } from "../course/progress.js";
import { element } from "../lib/element.js";
import { placed } from "../lib/framed.js";
import { standing } from "./standing.js";

const SOURCE = "lockstep";
const VERSION = 1;

/** @type {{base: string, origins: string[], path: string, title: string, inside: string[]}} */
const { base, origins, path, title, inside } = JSON.parse(element("embed-data").textContent ?? "");
const kept = progress();
const root = document.documentElement;
root.dataset.live = ""; // what is for those without scripts goes

/** Who hears the messages: the site around the page where the browser tells it, and else each that may frame the page. */
let listeners = origins.filter((origin) => origin === (location.ancestorOrigins?.[0] ?? origin));
/** The last message of each type. @type {Map<string, Record<string, unknown>>} */
const told = new Map();

/** Tells the page around this one something, unless it knows. @param {string} type @param {Record<string, unknown>} fields @param {boolean} [again]  also if it knows */
function tell(type, fields, again = false) {
  if (!again && JSON.stringify(told.get(type)) === JSON.stringify(fields)) return;
  told.set(type, fields);
  if (parent === window) return; // nobody frames the page
  for (const origin of listeners) parent.postMessage({ source: SOURCE, version: VERSION, type, path, ...fields }, origin);
}

addEventListener("message", ({ source, origin, data }) => {
  if (source !== parent || source === window || !origins.includes(origin)) return;
  if (data?.source !== SOURCE || data.version !== VERSION || data.type !== "hello") return;
  listeners = [origin];
  fit(false);
  for (const [type, fields] of told) tell(type, fields, true);
});

// How far the reader has come

let furthest = 0;

/** Tells it if it has changed. Going back takes nothing away. */
function follow() {
  const now = standing(document, kept);
  if (!now) return;
  furthest = Math.max(furthest, now.done);
  tell("progress", { done: furthest, of: now.of });
  if (now.solved) tell("solved", { ...now.solved });
}

// How high the page is

/** How long the page around it may take to follow its height, ms. */
const FOLLOWS_MS = 1000;

/** The card keeps the height of its longest words, so that what the reader presses stays where it is. */
const card = document.getElementById("card");
let highest = 0;
let width = 0;

function measure() {
  if ("fits" in root.dataset) return;
  if (card) {
    if (width !== innerWidth) highest = 0;
    width = innerWidth;
    if (highest === 0) card.style.removeProperty("min-height");
    if (!card.querySelector("details[open]")) highest = Math.max(highest, card.offsetHeight);
    card.style.minHeight = `${highest}px`;
  }
  tell("height", { height: Math.ceil(document.body.getBoundingClientRect().height) });
}

/** Fits the page into the frame, as into a window, or makes it as high as what is on it. @param {boolean} yes */
function fit(yes) {
  if (yes === "fits" in root.dataset || !document.getElementById("moves")) return; // a question below an answer needs its height
  if (yes) root.dataset.fits = "";
  else delete root.dataset.fits;
  card?.style.removeProperty("min-height");
  highest = 0;
  measure();
}

/** Fits the page into a frame that has not followed. */
function settle() {
  fit(innerHeight + 1 < Number(told.get("height")?.height ?? 0));
}

// Where links lead

/** Returns the path of an address within the site, with its query; undefined: it is to open in a window. @param {string} address */
function within(address) {
  const to = new URL(address, location.href);
  const at = to.pathname.slice(base.length);
  return to.origin === location.origin && to.pathname.startsWith(base) && inside.includes(at) ? at + to.search + to.hash : undefined;
}

// After every other module: it may lead elsewhere.
addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a[href]"));
  const to = link && !link.hasAttribute("target") && within(link.href); // Firefox calls the page's target the link's
  if (!to || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  location.assign(placed(base, to));
});

addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const to = within(form.getAttribute("action") ?? "");
  if (!to || event.defaultPrevented) return;
  if (form.id === "mend-form") { // its program is searched, and the answer is this page again
    form.action = placed(base, to);
    form.target = "_self";
    return;
  }
  event.preventDefault();
  location.assign(placed(base, to));
});

/** In a frame a task is all that there is: where else its card would lead is not shown. */
function stay() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".card-foot a[href], .task-also a[href]"))) {
    if (within(link.href) === undefined && link.dataset.outside === undefined) link.dataset.outside = "";
  }
}

if (!document.querySelector(".error-page")) tell("ready", { title });
stay();
follow();
measure();
const task = document.getElementById("task-box");
if (task) {
  new MutationObserver(() => {
    stay();
    follow();
  }).observe(task, { childList: true, subtree: true, attributes: true });
}
setTimeout(settle, FOLLOWS_MS);
addEventListener("resize", () => "fits" in root.dataset && settle());
const sized = new ResizeObserver(measure);
sized.observe(document.body);
if (card) for (const part of card.querySelectorAll("*")) if (part.parentElement === card) sized.observe(part);
