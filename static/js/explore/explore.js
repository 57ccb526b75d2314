/**
 * The page of the explorer. The form works by itself; this script lets the reader
 * watch and stop a search, and draws what it finds.
 *
 * @typedef {import("./socket.js").Message} Message
 */

import { element } from "../lib/element.js";
import { inquire } from "./socket.js";
import { pictures } from "./pictures.js";
import { question } from "./question.js";
import { keys } from "../site/keys.js";
import { otherLanguage } from "../site/language.js";
import { settings } from "../site/settings.js";
import { say } from "../stage/card.js";

/** @type {{lang: "en" | "zh", base: string, timeline: import("../timeline/layout.js").Words, words: Record<string, string>, unfinished: boolean, counterexamples: import("./socket.js").Pictured[]}} */
const begin = JSON.parse(element("explore-data").textContent ?? "");
const { lang, words } = begin;
const form = /** @type {HTMLFormElement} */ (element("explore-form"));
const [outcome, progress, luck, refusal] = ["outcome", "explore-progress", "luck-bars", "explore-refusal"].map(element);
const asked = question(form);
const drawn = pictures(outcome, { lang, words: begin.timeline });
/** The running search. @type {ReturnType<typeof inquire> | undefined} */
let search;
let waiting = false; // the search waits for its turn
/** The question that the page answers now. */
let answered = begin.unfinished ? "" : subject();

settings(document, { changed: drawn.resize });
keys(document);
otherLanguage(document, () => {
  const fields = asked.query(new URLSearchParams(location.search).get("run") ?? "");
  const names = [...new Set([...fields.keys(), ...new URLSearchParams(location.search).keys(), "run"])].filter((name) => name !== "lang");
  return Object.fromEntries(names.map((name) => [name, fields.get(name) ?? undefined]));
});
document.querySelector("a[hreflang]")?.addEventListener("click", (event) => {
  /** @type {HTMLAnchorElement} */ (event.currentTarget).hash = location.hash;
});

form.addEventListener("submit", (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (button && button.name !== "run") return; // it leads to another form
  event.preventDefault();
  const causes = form.querySelector("[name=causes]");
  if (button?.value === "causes" && causes instanceof HTMLInputElement) causes.checked = true;
  ask(button?.value === "luck" ? "luck" : "search");
});

element("explore-stop").addEventListener("click", () => {
  if (waiting) {
    search?.leave();
    end();
  } else search?.stop();
});

/** Going back leads to the question before. */
addEventListener("popstate", () => location.reload());

/** @param {"search" | "luck"} type */
async function ask(type) {
  search?.leave();
  refuse("");
  // An answer to another question is not shown beside this one.
  if (answered !== subject()) luck.replaceChildren();
  const focused = outcome.contains(document.activeElement);
  outcome.hidden = type === "search" || answered !== subject();
  answered = subject();
  told({ type: "queue", place: 0, text: words.searching });
  progress.hidden = false;
  bring(progress);
  if (focused) element("explore-stop").focus({ preventScroll: true });
  const url = new URL(`${begin.base}/explore/live?lang=${lang}`, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  search = inquire(url.href, { type, query: String(asked.query("")), source: asked.source() }, {
    onMessage: told,
    onEnd() {
      end();
      refuse(words.lost);
    },
  });
  const address = await asked.address(type);
  if (address !== location.href) history.pushState(null, "", address);
}

/** @param {Message} message */
function told(message) {
  switch (message.type) {
    case "queue":
      waiting = message.place > 0;
      say(element("progress-says"), message.text);
      if (waiting) say(element("explore-says"), message.text);
      for (const figure of progress.querySelectorAll("[data-figure]")) figure.textContent = "";
      return;
    case "progress":
      waiting = false;
      say(element("progress-says"), words.searching);
      for (const figure of /** @type {NodeListOf<HTMLElement>} */ (progress.querySelectorAll("[data-figure]"))) {
        figure.textContent = message.says[figure.dataset.figure ?? ""] ?? "";
      }
      return;
    case "answer":
      outcome.hidden = false;
      outcome.innerHTML = message.html;
      drawn.show(message.counterexamples);
      say(element("explore-says"), message.text);
      end();
      return bring(outcome);
    case "luck":
      luck.innerHTML = message.html;
      if (!message.over) return;
      say(element("explore-says"), message.text);
      return end();
    case "error":
      refuse(message.text);
      asked.point(message.line, message.column);
      return end();
  }
}

/** Ends the search. */
function end() {
  search?.leave();
  search = undefined;
  waiting = false;
  if (progress.contains(document.activeElement)) element("explore-search").focus({ preventScroll: true });
  progress.hidden = true;
}

/** Returns the question. */
function subject() {
  return `${asked.query("")}\n${asked.source()}`;
}

/** Scrolls to an answer, which on a phone stands far below the question. @param {HTMLElement} what */
function bring(what) {
  const { top } = what.getBoundingClientRect();
  if (top < 0 || top > innerHeight * 0.7) what.scrollIntoView();
}

/** @param {string} sentence  empty: nothing is wrong */
function refuse(sentence) {
  refusal.textContent = sentence;
  refusal.hidden = sentence === "";
}

drawn.show(begin.counterexamples);
asked.takeUp().then(() => {
  asked.follow();
  asked.point();
  const run = new URLSearchParams(location.search).get("run");
  if (begin.unfinished || (asked.source() && run && refusal.hidden && document.querySelector("#outcome .empty"))) ask(run === "luck" ? "luck" : "search");
});
