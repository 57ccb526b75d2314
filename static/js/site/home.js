/**
 * The home page: two clients want the lock, and the reader is the network. The page has
 * every order of presses, so a press needs no server; its link works without this script too.
 */

import { kept } from "../lib/kept.js";
import { early } from "../share/early.js";
import { keys } from "./keys.js";
import { otherLanguage } from "./language.js";
import { settings, speed } from "./settings.js";
import { sound } from "../sound/sound.js";
import { stage } from "../stage/stage.js";
import { downHere } from "../timeline/downwards.js";

/**
 * @typedef {import("../trace/state.js").Event} Event
 *
 * @typedef {object} Order  what an order of presses has led to (views.HomeOrder)
 * @property {string} kind
 * @property {string} says
 * @property {string} asks
 * @property {Record<string, string>} waits
 * @property {Event[]} events  of its last press, without their numbers
 * @property {number} [cause]
 * @property {string} [why]
 * @property {string} [repaired]
 * @property {Event[]} [twin]  of the presses under the repair, without their numbers
 */

/** @type {{lang: "en" | "zh", timeline: import("../timeline/layout.js").Words, start: string, breaks: string, repair: Event[], orders: Record<string, Order>}} */
const { lang, start, breaks, repair, orders, timeline: words } = JSON.parse(document.getElementById("home-data")?.textContent ?? "");
const root = /** @type {HTMLElement} */ (document.getElementById("home"));
const presses = /** @type {HTMLAnchorElement[]} */ ([...root.querySelectorAll("[data-press]")]);
// The reader delivers requests and nothing else: nobody leaves here.
await downHere();
const picture = stage(root, { lang, words: { ...words, leave: "" }, onArrive: arrived, onPass: sound().pass, onToken: ({ client }) => press(client) });
const beginning = location.pathname;

/** After a motion, until the page moves on by itself, ms: a sentence can be read meanwhile. */
const PACE = 1200;

/** Between two actions of the repair, ms. */
const BEAT = 300;

let order = "";
let kind = "";

/** How many events the picture shows when it has arrived: the end of a motion that another interrupts is none. */
let due = 0;

/** How many it shows when the card speaks. */
let whole = 0;

/** What follows then. @type {(() => void) | undefined} */
let then;
let waiting = 0;

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** An event's number is its place. @param {Event[]} events */
const numbered = (events) => events.map((event, i) => ({ ...event, seq: i + 1 }));

/** Every event up to an order, by the order. @type {Map<string, Event[]>} */
const logs = new Map();

/** @param {string} of @returns {Event[]} */
function log(of) {
  const known = logs.get(of) ?? numbered([...(of ? log(of.slice(0, -1)) : []), ...orders[of].events]);
  logs.set(of, known);
  return known;
}

/**
 * Shows an order. Of a broken lock, shows may be why or getset. The requests that can be pressed are there at once; the
 * words follow when the picture has arrived.
 * @param {string} to
 * @param {string} [shows]
 */
function show(to, shows = "") {
  order = Object.hasOwn(orders, to) ? to : "";
  const here = orders[order];
  kind = here.kind === "broken" && (shows === "why" || shows === "getset") ? shows : here.kind;
  offer();
  root.classList.add("arriving");
  point(0);
  if (kind !== "why") line("");
  if (kind === "getset") repaired(numbered([...repair, ...(here.twin ?? [])]));
  else draw(log(order));
}

/** @param {Event[]} events @param {number} [until]  the card speaks when that many are shown */
function draw(events, until = events.length) {
  due = events.length;
  whole = until;
  picture.show(events);
}

/** Offers what can be pressed now. */
function offer() {
  const { waits } = orders[order];
  const first = presses.find((link) => waits[link.dataset.press ?? ""]);
  for (const link of presses) {
    const client = link.dataset.press ?? "";
    const command = waits[client];
    link.hidden = !command;
    link.classList.toggle("primary", link === first);
    link.setAttribute("aria-keyshortcuts", client.slice(1) + (link === first ? " Space" : ""));
    if (!command) continue;
    link.textContent = link.dataset.label?.replace("{client}", client).replace("{command}", command) ?? "";
    link.href = address(order + client.slice(1));
  }
  for (const name of ["why", "getset"]) {
    const link = /** @type {HTMLAnchorElement} */ (root.querySelector(`[data-goes=${name}]`));
    link.href = address(order, name);
  }
  const scenario = start + [...order].map((digit) => `step C${digit}\n`).join("");
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-scenario]"))) field.value = scenario;
}

/** The picture shows the order: the card says what happened. @param {number} seq */
function arrived(seq) {
  if (seq !== due) return;
  if (seq === whole && root.classList.contains("arriving")) say();
  const next = then;
  then = undefined;
  next?.();
}

function say() {
  const here = orders[order];
  root.classList.remove("arriving");
  root.dataset.kind = kind;
  point(kind === "why" ? (here.cause ?? 0) : 0);
  const said = { why: here.why, getset: here.repaired }[kind] ?? here.says;
  if (part("home-said").textContent !== said) part("home-said").textContent = said;
  part("home-asks").textContent = here.asks;
  part("home-asks").hidden = !here.asks;
  for (const some of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-in]"))) some.hidden = !some.dataset.in?.split(" ").includes(kind);
  line(kind === "why" ? order : "");
  // What was pressed may be gone: the next thing has the focus, so a keyboard goes on.
  if (focused && !focused.checkVisibility({ visibilityProperty: true })) primary()?.focus({ preventScroll: true });
  focused = null;
}

/** Shows the line of code that broke the lock. @param {string} of  an order; empty: none */
function line(of) {
  for (const shown of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-line]"))) shown.hidden = shown.dataset.line !== of;
}

/** @param {number} cause  seq of the guilty event; 0: none */
function point(cause) {
  picture.select(cause);
  picture.explain(cause);
}

/** Plays the presses once more under the repair. @param {Event[]} events */
function repaired(events) {
  const from = orders[""].events.at(-1)?.action ?? 0;
  const last = events.at(-1)?.action ?? 0;
  /** @param {number} action */
  const play = (action) => {
    then = () => {
      if (action < last) waiting = window.setTimeout(play, BEAT, action + 1);
    };
    draw(events.filter((e) => e.action <= action), events.length);
  };
  play(from);
}

/** @param {string} of @param {string} [shows] */
function address(of, shows = "") {
  const query = new URLSearchParams({ ...(of && { order: of }), ...(shows && { show: shows }) }).toString();
  return beginning + (query && `?${query}`);
}

/** What had the focus when the reader last pressed something. @type {Element | null} */
let focused = null;

/**
 * Goes to an address of this page, as its link would.
 * @param {string} href
 */
function go(href) {
  const query = new URL(href, location.href).searchParams;
  focused = root.contains(document.activeElement) ? document.activeElement : focused;
  history.pushState(null, "", href);
  show(query.get("order") ?? "", query.get("show") ?? "");
}

/** The one thing to do next. */
const primary = () => /** @type {HTMLElement | undefined} */ ([...root.querySelectorAll(".card-foot .primary")].find((e) => e.checkVisibility()));

/** Delivers the request of a client. @param {string} client */
function press(client) {
  stop();
  if (orders[order].waits[client]) go(address(order + client.slice(1)));
}

/** Presses an order that breaks the lock, one by one. */
function play() {
  stop();
  if (order) go(address(""));
  root.classList.add("playing");
  const next = () => {
    const to = breaks.slice(0, order.length + 1);
    if (to === breaks) root.classList.remove("playing");
    else then = () => (waiting = window.setTimeout(next, PACE));
    go(address(to));
  };
  next();
}

/** Ends what the page does by itself. */
function stop() {
  clearTimeout(waiting);
  then = undefined;
  root.classList.remove("playing");
}

root.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest(".card-foot a"));
  if (!link || link.dataset.leaves !== undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.dataset.press) return press(link.dataset.press);
  if (link.dataset.goes === "play") return play();
  stop();
  go(link.href);
});

addEventListener("popstate", () => {
  stop();
  addressed();
});

/** Follows the settings. */
function tune() {
  picture.speed(speed(document));
  picture.resize();
}

function addressed() {
  const query = new URLSearchParams(location.search);
  show(query.get("order") ?? "", query.get("show") ?? "");
}

settings(document, { changed: tune });
tune();
keys(document);
otherLanguage(document, () => ({ order: order || undefined, show: kind === "why" || kind === "getset" ? kind : undefined }));
addressed();

// A script of its own marks the finished lessons, for readers who have any.
const marker = "../course/home-lessons.js"; // no literal in the import: the bundler leaves it
if (kept("progress")) import(marker);

// Hardly anybody drops a file here: only they load the script for it.
const taker = "../share/open.js";
early(() => import(taker).then(({ opening }) => opening()));
