/**
 * The task of a run: the lesson that it follows, or the challenge that it is. The
 * server says in the panel where the run stands. This module remembers the
 * reader's answers, and steps the run to the lesson's next moment.
 */

import { element } from "../lib/element.js";
import { reveal } from "../lib/reveal.js";
import { progress } from "./progress.js";

/** Between two actions of the lesson, ms: time to see each in the picture. */
const PACE_MS = 700;

/**
 * @param {HTMLElement} box  has the task's panel
 * @param {import("../run/run.js").Run} run
 */
export function task(box, run) {
  const { course = "", lesson = "" } = box.dataset;
  const kept = progress();
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  /** The position to which the lesson plays; -1: it does not. */
  let until = -1;
  /** The run has just come there. */
  let arrived = false;
  let last = run.position;

  /** Returns what the panel says of the run, if it is a lesson's. */
  const guide = () => document.getElementById("guide")?.dataset;

  box.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.id !== "guide-form") return; // it leads to another run
    event.preventDefault();
    const { moment = "", until: next } = guide() ?? {};
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (button?.name === "guess") kept.guessed(course, lesson, moment, button.value);
    until = Number(next);
    bring(element("stage"));
    step();
  });

  /** A prediction waits for an answer. "Not sure" is one. */
  run.on("advance", () => {
    if (until >= 0 || guide()?.asks === undefined || run.position < run.tip) return;
    const first = /** @type {HTMLElement} */ (document.querySelector("#guide-form .answer"));
    first.scrollIntoView({ block: "nearest" });
    first.focus();
    return false;
  });

  /** The page shows another position. */
  run.on("show", () => {
    point();
    const now = run.position;
    if (now < last) until = -1; // the reader went back
    if (until >= 0 && now > last) {
      arrived = now >= until;
      if (arrived) until = -1;
      else setTimeout(step, still.matches ? 0 : PACE_MS);
    }
    last = now;
  });

  /** Shows the program of the client that acted last, at its line: beside the words there is room for a few lines. */
  function point() {
    const lane = [...document.querySelectorAll("#event-rows tr:not(.future) .lane")].findLast(({ textContent }) => badge(textContent))?.textContent;
    const here = badge(lane);
    const shown = here?.closest("[data-source]")?.getAttribute("data-source");
    const choice = /** @type {HTMLSelectElement} */ (element("program"));
    if (guide() && shown && shown !== choice.value) {
      choice.value = shown;
      choice.dispatchEvent(new Event("change"));
    }
    reveal(here?.closest("li"));
  }

  /** Returns the mark of a client in its program. @param {string | null | undefined} client */
  const badge = (client) => [...document.querySelectorAll(".sources .badge")].find(({ textContent }) => textContent === client);

  function step() {
    if (until >= 0) run.step();
  }

  /** Shows what only the browser knows: the answers, and the finished lessons. */
  function recall() {
    const shown = guide();
    if (!shown) return solved();
    if (shown.over !== undefined) kept.finished(course, lesson);
    const came = document.getElementById("came");
    const given = came && kept.of(course, lesson).guesses[came.dataset.to ?? ""];
    if (came && given) {
      for (const said of /** @type {NodeListOf<HTMLElement>} */ (came.querySelectorAll("[data-after]"))) said.hidden = said.dataset.after !== given;
      came.hidden = false;
    }
    for (const link of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(".ventures [data-challenge]"))) {
      link.toggleAttribute("data-solved", Object.hasOwn(kept.of(course, lesson).challenges, link.dataset.challenge ?? ""));
    }
    if (!arrived) return;
    // The lesson has come to its next moment, which the reader reads now.
    arrived = false;
    element("task-title").focus({ preventScroll: true });
    box.scrollTop = 0;
    bring(box);
  }

  /** Scrolls to the words or to the picture, where the words stand above it. @param {HTMLElement} what */
  function bring(what) {
    if (element("stage").getBoundingClientRect().top >= box.getBoundingClientRect().bottom - 1) what.scrollIntoView({ behavior: still.matches ? "auto" : "smooth" });
  }

  function solved() {
    const { challenge = "", solved, actions } = document.getElementById("challenge")?.dataset ?? {};
    if (solved !== undefined) kept.solved(course, lesson, challenge, Number(actions));
  }

  new MutationObserver(recall).observe(box, { childList: true, subtree: true, characterData: true });
  recall();
}
