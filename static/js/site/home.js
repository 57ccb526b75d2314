/**
 * The home page: a story of one lock, which grows by the reader's presses, until two clients want it and the reader is the network. The page has
 * every state, so a press needs no server; its link works without this script too.
 */

import { kept } from "../lib/kept.js";
import { early } from "../share/early.js";
import { keys } from "./keys.js";
import { otherLanguage } from "./language.js";
import { pressesOf } from "./home-presses.js";
import { settings, speed } from "./settings.js";
import { sound } from "../sound/sound.js";
import { mark, running } from "../stage/code.js";
import { lights } from "../stage/lights.js";
import { history as statesOf } from "../timeline/history.js";
import { downHere, loadDown } from "../timeline/downwards.js";
import { timeline } from "../timeline/timeline.js";

/**
 * @typedef {import("../trace/state.js").Event} Event
 *
 * @typedef {object} State  what some presses have led to (views/site.HomeState)
 * @property {string | null} before  the state before its last press
 * @property {string} kind
 * @property {string} [verdict]
 * @property {string} [meanwhile]
 * @property {string} says
 * @property {string} [asks]
 * @property {import("./home-presses.js").Press[]} presses
 * @property {string} lets
 * @property {Event[]} events  of its last press, without their numbers
 * @property {number} [cause]
 * @property {number} [line]
 * @property {string} [why]
 * @property {string} [repaired]
 * @property {Event[]} [twin]  of the race's presses under the repair, without their numbers
 * @property {number} [twinLine]
 */

/** @type {{lang: "en" | "zh", timeline: import("../timeline/layout.js").Words, start: string, repair: Event[], states: Record<string, State>}} */
const { lang, start, repair, states, timeline: words } = JSON.parse(document.getElementById("home-data")?.textContent ?? "");
const root = /** @type {HTMLElement} */ (document.getElementById("home"));
const beginning = location.pathname;

/** Of the order that a state's address names, the digits. @param {string} of */
const orderOf = (of) => /^order=(.*)/.exec(of)?.[1] ?? "";

/** After a motion, until the page presses on by itself, ms: a sentence can be read meanwhile. */
const PACE = 1200;

/** Between two actions of one press, ms. */
const BEAT = 120;

/** How many times as fast several actions of one press follow each other. */
const BRISK = 1.8;

/** The place in the program of a client that is past its last line. */
const INSIDE = -1;

let at = "";
let kind = "";

/** How many events the picture shows when it has arrived: the end of a motion that another interrupts is none. */
let due = 0;

/** How many it shows when the card speaks. */
let whole = 0;

/** What the picture shows, or is about to. @type {Event[]} */
let shown = [];

/** What follows then. @type {(() => void) | undefined} */
let then;
let waiting = 0;

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** An event's number is its place. @param {Event[]} events */
const numbered = (events) => events.map((event, i) => ({ ...event, seq: i + 1 }));

/** Every event up to a state. @type {Map<string, Event[]>} */
const logs = new Map();

/** @param {string} of @returns {Event[]} */
function log(of) {
  const { before, events } = states[of];
  const known = logs.get(of) ?? numbered([...(before === null ? [] : log(before)), ...events]);
  logs.set(of, known);
  return known;
}

/** Every event of the presses under the repair. */
const twin = () => numbered([...repair, ...(states[at].twin ?? [])]);

// The reader causes what the story needs and nothing else: nobody leaves here.
await downHere();
const pane = /** @type {HTMLElement} */ (root.querySelector(".picture"));
const presses = pressesOf(part("home-presses"), pane);
const lit = lights(root, () => picture);
const picture = timeline(root, {
  lang, words: { ...words, leave: "" }, stacked: 300, loadDown, onPlaces: presses.places, onHover: lit.point, onArrive: arrived, onPass: sound().pass, onToken: ({ client }) => press(client),
});
const programs = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-program]")]);
const folded = statesOf();

/**
 * Shows a state. Of a broken lock, shows may be why or getset. What can be pressed is known at once; the words follow when the picture
 * has arrived.
 * @param {string} to
 * @param {string} [shows]
 */
function show(to, shows = "") {
  const from = shown.length > 0 && due === log(at).length && kind !== "getset" ? at : null;
  at = Object.hasOwn(states, to) ? to : "";
  const here = states[at];
  kind = here.kind === "broken" && (shows === "why" || shows === "getset") ? shows : here.kind;
  offer();
  root.classList.add("arriving");
  point(0);
  light(0);
  if (kind === "getset") {
    root.dataset.kind = kind;
    light(here.twinLine ?? 0);
    tell(root.querySelector("[data-goes=getset]")?.textContent ?? ""); // until it has its outcome
    run(twin(), repair.at(-1)?.action ?? 0);
  }
  else if (from !== null && from === here.before) run(log(at), here.events[0].action);
  else draw(log(at));
}

/** Plays the actions of a log one after another. @param {Event[]} events @param {number} from  the action with which it begins */
function run(events, from) {
  const last = events.at(-1)?.action ?? 0;
  picture.speed(speed(document) * (last - from > 1 && kind !== "getset" ? BRISK : 1));
  /** @param {number} action */
  const play = (action) => {
    if (action < last) {
      then = () => {
        const { meanwhile } = states[at];
        if (meanwhile) {
          tell(meanwhile);
          root.dataset.kind = kind; // the clients come to lines that nobody has met
        }
        waiting = window.setTimeout(play, BEAT, action + 1);
      };
    }
    draw(events.filter((e) => e.action <= action), events.length);
  };
  play(from);
}

/** @param {Event[]} events @param {number} [until]  the card speaks when that many are shown */
function draw(events, until = events.length) {
  due = events.length;
  whole = until;
  shown = events;
  folded.read(events);
  picture.show(events);
  picture.fit(); // of a story nobody looks for the beginning
}

/** Offers what can be pressed now. */
function offer() {
  const here = states[at];
  presses.offer(kind === "why" || kind === "getset" ? [] : here.presses, address);
  for (const [name, href] of Object.entries({ why: address(at, "why"), getset: address(at, "getset"), let: address(here.lets) })) {
    /** @type {HTMLAnchorElement} */ (root.querySelector(`[data-goes=${name}]`)).href = href;
  }
  const scenario = start + [...orderOf(at)].map((digit) => `step C${digit}\n`).join("");
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-scenario]"))) field.value = scenario;
}

/** The picture shows some events. @param {number} seq */
function arrived(seq) {
  if (seq !== due) return;
  mark(programOf(), here(), "");
  if (seq === whole && root.classList.contains("arriving")) say();
  lit.moved();
  const next = then;
  then = undefined;
  next?.();
}

/** The clients at their places in the program. */
const here = () => running(folded.at(due)).map((client) => (client.status === "inside" ? { ...client, line: INSIDE } : client));

/** The program that the clients run. */
function programOf() {
  for (const [i, program] of programs.entries()) program.hidden = (kind === "getset" ? 1 : 0) !== i;
  return programs[kind === "getset" ? 1 : 0];
}

/** Lights a line of the program. @param {number} number  0: none */
function light(number) {
  for (const line of programs.flatMap((program) => /** @type {HTMLElement[]} */ ([...program.children]))) {
    const lit = number > 0 && line.dataset.number === String(number) && line.parentElement === programOf();
    line.classList.toggle("guilty", lit && kind === "why");
    line.classList.toggle("decides", lit && kind === "getset");
  }
}

/** @param {string} sentence */
function tell(sentence) {
  if (part("home-said").textContent !== sentence) part("home-said").textContent = sentence;
}

function say() {
  const here = states[at];
  root.classList.remove("arriving");
  root.dataset.kind = kind;
  point(kind === "why" ? (here.cause ?? 0) : 0);
  light({ why: here.line, getset: here.twinLine }[kind] ?? 0);
  part("home-verdict").textContent = here.verdict ?? "";
  tell({ why: here.why, getset: here.repaired }[kind] ?? here.says);
  part("home-asks").textContent = here.asks ?? "";
  part("home-asks").hidden = !here.asks;
  for (const some of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-in]"))) some.hidden = !some.dataset.in?.split(" ").includes(kind);
  presses.put();
  // What was pressed may be gone: the next thing has the focus, so a keyboard goes on.
  if (focused && !focused.checkVisibility({ visibilityProperty: true })) leading()?.focus({ preventScroll: true });
  focused = null;
}

/** @param {number} cause  seq of the guilty event; 0: none */
function point(cause) {
  picture.select(cause);
  picture.explain(cause);
}

/** @param {string} of @param {string} [shows] */
function address(of, shows = "") {
  const query = [of, shows && `show=${shows}`].filter(Boolean).join("&");
  return beginning + (query && `?${query}`);
}

/** Returns the state that an address names, and what it shows of it. @param {string} query */
function named(query) {
  const asked = new URLSearchParams(query);
  const name = ["order", "beat"].find((one) => asked.get(one));
  return { to: name ? `${name}=${asked.get(name)}` : "", shows: asked.get("show") ?? "" };
}

/** What had the focus when the reader last pressed something. @type {Element | null} */
let focused = null;

/**
 * Goes to an address of this page, as its link would.
 * @param {string} href
 */
function go(href) {
  focused = root.contains(document.activeElement) ? document.activeElement : focused;
  history.pushState(null, "", href);
  const { to, shows } = named(new URL(href, location.href).search);
  show(to, shows);
}

/** The one thing to do next, or the first of several. */
const leading = () => /** @type {HTMLElement | undefined} */ ([...root.querySelectorAll(".home-press, .card-foot .primary")].find((e) => e.checkVisibility()));

/** Causes what a client's link says; while one press still has consequences, all of them are there at once. @param {string} client */
function press(client) {
  if (finish()) return;
  stop();
  const next = states[at].presses.find((one) => one.client === client);
  if (next) go(address(next.to));
}

/** Ends what one press causes, and reports whether there was anything to end. */
function finish() {
  if (due >= whole || root.classList.contains("playing")) return false;
  stop();
  draw(kind === "getset" ? twin() : log(at));
  return true;
}

/** Presses on to an end, one by one. @param {string} end */
function play(end) {
  stop();
  /** @type {string[]} */
  const way = [];
  for (let to = end; to !== at; to = states[to].before ?? at) way.unshift(to);
  root.classList.add("playing");
  const next = () => {
    const to = way.shift() ?? end;
    if (way.length === 0) root.classList.remove("playing");
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
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest(".card-foot a, .home-press"));
  if (!link && /** @type {Element} */ (event.target).closest(".stage")) finish();
  if (!link || link.dataset.leaves !== undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.dataset.press !== undefined) return press(link.dataset.press);
  if (link.dataset.goes === "let") return finish() || play(states[at].lets);
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
  const { to, shows } = named(location.search);
  show(to, shows);
}

settings(document, { changed: tune });
tune();
keys(document);
otherLanguage(document, () => ({
  order: orderOf(at) || undefined, beat: /^beat=(.*)/.exec(at)?.[1], show: kind === "why" || kind === "getset" ? kind : undefined,
}));
addressed();

// A script of its own marks the finished lessons, for readers who have any.
const marker = "../course/home-lessons.js"; // no literal in the import: the bundler leaves it
if (kept("progress")) import(marker);

// Hardly anybody drops a file here: only they load the script for it.
const taker = "../share/open.js";
early(() => import(taker).then(({ opening }) => opening()));
