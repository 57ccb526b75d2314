/**
 * The page of the explorer. The form works by itself; with this script the question is
 * asked again when one of its values changes, a long search can be watched and stopped, and
 * what it finds can be played.
 *
 * @typedef {import("./socket.js").Message} Message
 */

import { element } from "../lib/element.js";
import { framed, named, placed } from "../lib/framed.js";
import { countUp } from "../lib/run-up.js";
import { keys } from "../site/keys.js";
import { otherLanguage } from "../site/language.js";
import { settings, speed } from "../site/settings.js";
import { say } from "../stage/card.js";
import { drawers } from "../stage/drawers.js";
import { downHere } from "../timeline/downwards.js";
import { places } from "./answer.js";
import { asker } from "./ask.js";
import { pictures } from "./pictures.js";
import { question } from "./question.js";
import { sharing } from "./share.js";
import { depthsOf, resize, show } from "./shape.js";
import { inquire } from "./socket.js";

/** From the last move of a control until a search that takes longer than that joins the queue, ms. */
const SETTLED_MS = 400;

/** From the last letter of an own program until it is searched, ms. */
const TYPED_MS = 600;

/** @type {{lang: "en" | "zh", base: string, timeline: import("../timeline/layout.js").Words, words: import("./pictures.js").Says & Record<string, string>, unfinished: boolean, counterexamples: import("./socket.js").Pictured[]}} */
const begin = JSON.parse(element("explore-data").textContent ?? "");
const { lang, words } = begin;
const page = element("explore");
const form = /** @type {HTMLFormElement} */ (element("explore-form"));
const [progress, luck, refusal] = ["explore-progress", "luck-bars", "explore-refusal"].map(element);
const asked = question(form);
await downHere();
const drawn = pictures(page, { lang, words: begin.timeline, says: words, speed: () => speed(document) });
const answer = places(page);
const open = drawers(document, { first: asked.source() ? "question" : "", asks: asked.source() !== "", changed: fit });
const live = asker(named(`${begin.base}/explore/answer?lang=${lang}`), {
  onAnswer(answer, question) {
    if (same(question) || answer.type === "answer") told(answer, question);
  },
  onLost: (question) => same(question) && refuse(words.lost),
});

/** The running search in the queue. @type {ReturnType<typeof inquire> | undefined} */
let search;
let waiting = false; // it has not begun
/** The question that the page answers. */
let answered = document.querySelector("#verdict") && !begin.unfinished ? subject() : "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;

// Asking

/** Asks as soon as the question is another one. @param {boolean} moving  the control is still in the reader's hand */
function changed(moving) {
  if (subject() === answered) return;
  clearTimeout(soon);
  stale(true);
  go(moving);
}

/** @param {boolean} replace  the address, without a step back to the one before */
async function go(replace) {
  const asks = subject();
  hangUp();
  refuse("");
  live.ask(now());
  const { pathname, search, hash } = new URL(await asked.address("search"));
  const address = new URL(placed(begin.base, pathname.slice(begin.base.length) + search + hash), location.href).href;
  if (address === location.href || subject() !== asks) return; // the reader has asked something else meanwhile
  if (replace || framed()) history.replaceState(null, "", address); // the history is that of the page around
  else history.pushState(null, "", address);
}

// A field may stand in a drawer, outside its form.
page.addEventListener("input", ({ target }) => {
  if (!asked.has(target)) return;
  asked.read();
  if (!(target instanceof HTMLTextAreaElement)) return changed(true);
  clearTimeout(soon);
  soon = setTimeout(() => changed(true), TYPED_MS);
});
page.addEventListener("change", ({ target }) => asked.has(target) && target instanceof HTMLSelectElement && changed(false));

element("explore-more").addEventListener("click", (event) => {
  event.preventDefault();
  element("tab-question").click();
  const inside = element("drawer-question").querySelector("textarea:not([hidden]), [contenteditable=true], button, select");
  if (inside instanceof HTMLElement && inside.checkVisibility()) inside.focus();
});

document.addEventListener("submit", (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (event.target !== form || (button && button.name !== "run")) return; // it leads elsewhere
  event.preventDefault();
  const causes = form.elements.namedItem("causes");
  if (button?.value === "causes" && causes instanceof HTMLInputElement) causes.checked = true;
  if (button?.id === "explore-longer") return inQueue("search");
  if (button?.value === "luck") return inQueue("luck");
  stale(true);
  go(false);
});

page.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("#explore-next"));
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  asked.fill(new URL(link.href).searchParams);
  asked.read();
  stale(true);
  go(false);
});

/** Going back leads to the question before. */
addEventListener("popstate", () => location.reload());

// Long searches

/** Asks in the queue, where a search may take long. @param {"search" | "luck"} type */
function inQueue(type) {
  leave();
  const question = now();
  refuse("");
  told({ type: "queue", place: 0, text: words.searching }, question);
  if (type === "search") progress.hidden = false;
  const url = new URL(named(`${begin.base}/explore/live?lang=${lang}`), location.href);
  url.protocol = url.protocol.replace("http", "ws");
  search = inquire(url.href, { type, ...question }, {
    onMessage: (message) => told(message, question),
    onEnd() {
      leave();
      refuse(words.lost);
    },
  });
}

element("explore-stop").addEventListener("click", () => (waiting ? leave() : search?.stop()));

/** Gives up what is under way. */
function leave() {
  live.leave();
  hangUp();
}

/** Gives up a long search. */
function hangUp() {
  clearTimeout(soon);
  search?.leave();
  search = undefined;
  waiting = false;
  if (progress.contains(document.activeElement)) element("stage").focus({ preventScroll: true });
  progress.hidden = true;
}

// Answers

/** @param {Message | import("./ask.js").Unfinished} message @param {import("./ask.js").Question} question */
function told(message, question) {
  switch (message.type) {
    case "queue":
      waiting = true;
      say(element("progress-says"), message.text);
      if (message.place > 0) say(element("explore-says"), message.text);
      return;
    case "progress":
      waiting = false;
      say(element("progress-says"), words.searching);
      for (const figure of /** @type {NodeListOf<HTMLElement>} */ (progress.querySelectorAll("[data-figure]"))) {
        figure.textContent = message.says[figure.dataset.figure ?? ""] ?? "";
      }
      element("progress-states").textContent = message.says.states;
      return grow(message.depths);
    case "unfinished":
      clearTimeout(soon);
      soon = setTimeout(() => inQueue("search"), SETTLED_MS);
      return;
    case "answer":
      return put(message, question);
    case "luck":
      luck.innerHTML = message.html;
      if (!message.over) return;
      say(element("explore-says"), message.text);
      return leave();
    case "error":
      leave();
      refuse(message.text);
      refusal.classList.toggle("visually-hidden", asked.point(message.text, message.line, message.column)); // a screen reader hears it
      return;
  }
}

/** Shows how far a long search is. @param {number[]} depths */
function grow(depths) {
  show(progress.querySelector(".shape"), { depths, ms: 0 });
}

/** Shows an answer. While a control moves it may be that to the question before: it stays dimmed. @param {import("./socket.js").Answer} message @param {import("./ask.js").Question} question */
function put(message, question) {
  const from = depthsOf(figure());
  const before = Number(document.getElementById("feat")?.dataset.states?.replaceAll(",", "") ?? 0);
  const searched = search !== undefined;
  if (same(question)) hangUp();
  answer.put(message.html);
  answered = name(question);
  luck.replaceChildren(); // they speak of another question
  stale(!same(question));
  drawn.show(message.counterexamples);
  tabs();
  say(element("explore-says"), inShort() || message.text);
  // While a control moves, a shape becomes the next one; a reader who has waited has seen it grow.
  show(figure(), searched ? { ms: 0 } : { from });
  if (message.counterexamples.length > 1) open.open("causes");
  if (!searched) countUp(document.getElementById("feat"), { from: before, ms: before ? 160 : undefined });
}

/** Returns what the answer tells a listener: the stamp, and the story if there is one. */
function inShort() {
  const story = document.querySelector(".story:not([hidden])");
  return story && `${document.querySelector("#card .stamp")?.textContent}${lang === "zh" ? "。" : ". "}${story.textContent?.trim()}`;
}

/** Returns the shape of the answer's search. @returns {HTMLElement | null} */
function figure() {
  return document.querySelector("#stage .shape, #answer-causes .shape");
}

/** @param {boolean} yes  the answer belongs to the question before */
function stale(yes) {
  element("outcome").toggleAttribute("data-stale", yes);
  element("explore-search").classList.toggle("primary", yes && asked.source() !== "");
}

/** @param {string} sentence  empty: nothing is wrong */
function refuse(sentence) {
  refusal.classList.remove("visually-hidden");
  refusal.textContent = sentence;
  refusal.hidden = sentence === "";
}

/** Returns the question that the form asks. */
function now() {
  return { query: String(asked.query("")), source: asked.source() };
}

/** @param {import("./ask.js").Question} question */
function name({ query, source }) {
  return `${query}\n${source}`;
}

/** Reports whether the form still asks a question. @param {import("./ask.js").Question} question */
function same(question) {
  return name(question) === subject();
}

/** Returns the name of the form's question. */
function subject() {
  return name(now());
}

/** Offers the drawers that have something in them. */
function tabs() {
  for (const [name, something] of Object.entries({ causes: "#answer-causes > *", events: "#answer-events li" })) element(`tab-${name}`).hidden = !document.querySelector(something);
}

function fit() {
  drawn.resize();
  resize(figure());
}

addEventListener("resize", () => resize(figure()));
settings(document, { changed: fit });
keys(document, drawn.held);
otherLanguage(document, () => {
  const fields = asked.query(new URLSearchParams(location.search).get("run") ?? "");
  const names = [...new Set([...fields.keys(), ...new URLSearchParams(location.search).keys(), "run"])].filter((name) => name !== "lang");
  return Object.fromEntries(names.map((name) => [name, fields.get(name) ?? undefined]));
});
document.querySelector("a[hreflang]")?.addEventListener("click", (event) => {
  /** @type {HTMLAnchorElement} */ (event.currentTarget).hash = location.hash;
});
sharing(page, { words, address: () => asked.address("search"), picture: () => (asked.source() ? "" : `${begin.base}/explore/card.png?${asked.query("")}&lang=${lang}`) });

drawn.show(begin.counterexamples);
tabs();
await asked.takeUp();
asked.edit();
asked.point(refusal.textContent?.trim() ?? "");
const run = new URLSearchParams(location.search).get("run");
if (refusal.hidden && run === "luck" && !document.querySelector("#luck-says")) inQueue("luck");
else if (refusal.hidden && subject() !== answered) {
  stale(true);
  live.ask(now());
} else {
  show(figure());
  countUp(document.getElementById("feat"));
}
