/**
 * The pages of a test: draws the runs, and keeps the answers. The pages work without this script; then nothing is kept,
 * and the form after the course knows nothing of the one before.
 */

import { element } from "../lib/element.js";
import { paper } from "../timeline/paper.js";
import { progress } from "./progress.js";

/** Under this name, which no lesson has, a course's record holds the answers to its test. */
const TEST = "test";

/** Letters of an answer's name, at most: a file that the reader took may hold longer ones, and proxies refuse a long address. */
const LONGEST = 64;

/** @type {{lang: "en" | "zh", timeline: import("../timeline/layout.js").Words, pictures: {moments: number[], events: import("../trace/state.js").Event[]}[] | null}} */
const { lang, timeline: words, pictures } = JSON.parse(element("test-data").textContent ?? "");
const page = /** @type {HTMLElement} */ (document.querySelector("main"));
const { course = "", form = "" } = page.dataset;
const kept = progress();

for (const [i, box] of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-picture]")).entries()) {
  const drawn = pictures?.[i];
  if (!drawn) continue;
  box.hidden = false;
  box.replaceChildren(...paper(drawn.events, { lang, words, stops: drawn.moments }));
}
for (const folded of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(".test-words"))) folded.open = false;

// The address holds the answers: whoever follows a link or a bookmark has not given them now.
const taken = document.referrer.split("?")[0] === location.origin + location.pathname;
if (page.dataset.done !== undefined) {
  if (taken) keep();
} else if (form === "after") bring();
else if (page.id === "test" && form === "") begin();

const inRoom = document.getElementById("room-data");
if (inRoom) void listen(JSON.parse(inRoom.textContent ?? ""));

/**
 * Hears from the room whether it still takes answers to this form, and says so. The page is one of the room's meanwhile: whoever
 * takes its test is there.
 * @param {import("../room/connection.js").Begin} begin
 */
async function listen(begin) {
  const { room } = await import("../room/connection.js");
  room(begin, "phone", "", {
    onRoom({ panels }) {
      if (panels.room === undefined) return;
      const link = new DOMParser().parseFromString(panels.room, "text/html").getElementById("test-begin")?.getAttribute("href");
      const to = link ? new URL(link, location.href) : null;
      close(to?.pathname !== location.pathname || to.searchParams.get("form") !== form);
    },
    onPanels() {},
    onRefusal() {},
    onConnection() {},
  });
}

/** Puts the way back to the room in the place of the question, or the other way round. @param {boolean} closed */
function close(closed) {
  const asks = element("test-open");
  if (asks.hidden === closed) return;
  const focused = asks.contains(document.activeElement);
  asks.hidden = closed;
  element("test-closed").hidden = !closed;
  if (focused) element("test-room").focus();
}

/** Marks the forms that this browser has done, and puts the other one forward. */
function begin() {
  const guesses = Object.keys(kept.of(course, TEST).guesses);
  const done = (/** @type {string} */ form) => guesses.some((name) => name.endsWith(`-${form}`));
  for (const mark of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-done-form]"))) mark.hidden = !done(mark.dataset.doneForm ?? "");
  const next = done("before") && !done("after") ? "after" : "before";
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll(".test-forms [data-form]"))) link.classList.toggle("primary", link.dataset.form === next);
}

/** Hands on what the reader answered before the course: the result compares both. */
function bring() {
  const asked = page.querySelector("form.guesses");
  if (!asked || asked.querySelector("input[name^='before.']")) return;
  const { guesses } = kept.of(course, TEST);
  for (const question of (page.dataset.questions ?? "").split(" ")) {
    const answer = guesses[`${question}-before`];
    if (!answer || answer.length > LONGEST) continue;
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: `before.${question}`, value: answer });
    asked.prepend(field);
  }
}

/** Keeps the answers. A question that the reader has missed comes back in the lessons, the first time that it is told. */
function keep() {
  const before = kept.of(course, TEST).guesses;
  let news = false;
  for (const given of /** @type {NodeListOf<HTMLDataElement>} */ (page.querySelectorAll(`[data-answered="${form}"]`))) {
    const name = `${given.dataset.question}-${form}`;
    news ||= before[name] !== given.value;
    kept.guessed(course, TEST, name, given.value);
  }
  if (!news) return;
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll(".test-rows > li"))) {
    if (row.dataset.known === undefined) kept.knew(course, row.dataset.lesson ?? "", false);
  }
}
