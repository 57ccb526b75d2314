/**
 * Plays the run that is in the same file. A position is the number of actions
 * done, as on the site: 0 is before the first.
 */

import { timeline } from "./timeline/timeline.js";

/**
 * @typedef {import("./store.js").Event} Event
 * @typedef {"en" | "zh"} Lang
 * @typedef {Record<string, string> & {drawing: import("./timeline/layout.js").Words}} Words
 */

/** Between two steps of playing, ms. */
const PACE = 1_200;

/** The heads of the lanes cover so much of the picture, px. */
const HEADS = 96;

/** @type {{scenario: string, lang: Lang, actions: number, events: Event[], words: Record<Lang, Words>}} */
const trace = JSON.parse(element("trace").textContent ?? "");
const { actions, events } = trace;

// The address says what is shown, so that another language can begin there.
const asked = new URLSearchParams(location.hash.slice(1));
const lang = asked.get("lang") === "zh" ? "zh" : asked.get("lang") === "en" ? "en" : trace.lang;
const words = trace.words[lang];
let position = bounded(asked.has("step") ? Number(asked.get("step")) : actions);

const list = element("events");
const range = /** @type {HTMLInputElement} */ (element("position"));
const play = element("play");
/** @type {ReturnType<typeof setInterval> | undefined} */
let playing; // the timer; nothing: it does not play

document.documentElement.lang = lang;
for (const place of document.querySelectorAll("[data-say]")) place.textContent = words[place.getAttribute("data-say") ?? ""];
element("language").lang = lang === "en" ? "zh" : "en";
element("scenario").textContent = trace.scenario;
element("picture").setAttribute("aria-label", words.drawing.timeline);
range.max = String(actions);
range.setAttribute("aria-label", words.position);
list.replaceChildren(...events.map(row));
const picture = timeline(element("picture").parentElement ?? document.body, { lang, words: words.drawing });
show();

/** @type {Record<string, () => number>} */
const ways = { first: () => 0, back: () => position - 1, next: () => position + 1, last: () => actions };

element("bar").addEventListener("click", (event) => {
  const way = /** @type {Element} */ (event.target).closest("[data-go]")?.getAttribute("data-go");
  if (way) go(ways[way]());
});
range.addEventListener("input", () => go(Number(range.value)));
play.addEventListener("click", () => (playing ? stop() : start()));
list.addEventListener("click", (event) => {
  const seq = Number(/** @type {Element} */ (event.target).closest("[data-seq]")?.getAttribute("data-seq"));
  const chosen = events.find((e) => e.seq === seq);
  if (!chosen) return;
  go(chosen.action);
  picture.select(seq);
});
element("language").addEventListener("click", () => {
  location.hash = new URLSearchParams({ lang: lang === "en" ? "zh" : "en", step: String(position) }).toString();
});
addEventListener("hashchange", () => location.reload());

/** @type {Record<string, string>} */
const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || target.closest("input, pre, #picture")) return; // they have these keys themselves
  const way = keys[event.key];
  if (way) go(ways[way]());
  else if (event.key === " " && !target.closest("button, summary")) playing ? stop() : start();
  else return;
  event.preventDefault();
});

/** @param {number} to */
function go(to) {
  stop();
  position = bounded(to);
  show();
}

function start() {
  if (position === actions) position = 0;
  playing = setInterval(() => {
    position++;
    if (position >= actions) stop();
    show();
  }, PACE);
  show();
}

function stop() {
  clearInterval(playing);
  playing = undefined;
  play.textContent = words.play;
}

function show() {
  const past = events.filter((e) => e.action <= position);
  const wrong = past.filter((e) => e.kind === "violation" && e.action === position);
  const said = (wrong.length > 0 ? wrong : past.slice(-1)).map((e) => e.sentence[lang]);
  picture.show(events, { playhead: past.at(-1)?.seq ?? 0 });
  picture.select(0);
  follow();
  const caption = element("caption");
  caption.textContent = said.join("\n") || words.begin;
  caption.classList.toggle("violation", wrong.length > 0);
  range.value = String(position);
  element("count").textContent = `${position} / ${actions}`;
  play.textContent = playing ? words.stop : words.play;
  [...list.children].forEach((row, i) => {
    row.classList.toggle("future", i >= past.length);
    if (i === past.length - 1) row.firstElementChild?.setAttribute("aria-current", "step");
    else row.firstElementChild?.removeAttribute("aria-current");
  });
  const current = /** @type {HTMLElement | undefined} */ (list.children[Math.max(0, past.length - 1)]);
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** Brings the playhead into view. */
function follow() {
  const pane = element("picture");
  const at = Number(pane.querySelector(".playhead-handle")?.getAttribute("x"));
  const seen = at > pane.scrollLeft + HEADS && at < pane.scrollLeft + pane.clientWidth - 16;
  if (!seen) pane.scrollLeft = Math.max(0, at - pane.clientWidth * 0.75);
}

/** @param {Event} event */
function row(event) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.seq = String(event.seq);
  button.textContent = `${event.seq}. ${event.time / 1000} s  ${event.sentence[lang]}`;
  item.classList.toggle("violation", event.kind === "violation");
  item.append(button);
  return item;
}

/** @param {number} to */
function bounded(to) {
  return Math.min(actions, Math.max(0, Math.trunc(to) || 0));
}

/** @param {string} id @returns {HTMLElement} */
function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}
