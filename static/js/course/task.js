/**
 * The task of a run: the lesson that it follows, or the challenge that it is. The
 * server says in the panel where the run stands. This module remembers the
 * reader's answers, and steps the run to the lesson's next moment.
 */

import { element } from "../lib/element.js";
import { focusNear, wayTo } from "../lib/focus.js";
import { challenge } from "./challenge.js";
import { progress } from "./progress.js";
import { leads } from "./recall.js";

/** Between two actions of the lesson, at the speed 1, ms: time to read what has happened. */
const PAUSE_MS = 450;

/** Returns the client whose request the opening of a lesson asks for; empty: the card's foot leads on. */
export function opening() {
  const { opens, next = "" } = document.getElementById("guide")?.dataset ?? {};
  return opens === undefined || document.querySelector(".playing") ? "" : (next.split(" ")[1] ?? "");
}

/**
 * @param {HTMLElement} box  has the task's panel
 * @param {import("../run/run.js").Run} run
 * @param {{finish: () => void, words: Record<string, string>}} options  finish ends what moves in the picture
 */
export function task(box, run, { finish, words }) {
  challenge(box, run, words);
  const { course = "", lesson = "" } = box.dataset;
  const question = box.dataset.question !== undefined;
  const kept = progress();
  /** The position to which the lesson plays; -1: it does not. */
  let until = -1;
  /** The reader has stepped, and the lesson has not spoken since. */
  let leading = false;
  /** The lesson asks for a step this moment: without a connection it is refused. */
  let steps = false;
  /** The reader wants to see the end of the passage at once. */
  let hurries = false;
  let last = run.position;
  /** The position of the last step that the lesson took. */
  let left = -1;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;

  /** Returns what the panel says of the run, if it is a lesson's. */
  const guide = () => document.getElementById("guide")?.dataset;

  /** Returns what the lesson says in one piece: a moment, or its end. */
  function place() {
    const { moment = "", over } = guide() ?? {};
    return over === undefined ? moment : `${moment} over`;
  }
  /** Where the lesson spoke last. */
  let heard = place();

  box.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.id !== "guide-form") return; // it leads to another run
    event.preventDefault();
    if (until >= 0) return hurry();
    const { moment = "", until: next } = guide() ?? {};
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (button?.name === "guess") {
      kept.guessed(course, lesson, moment, button.value);
      button.setAttribute("aria-pressed", "true");
    }
    play(Number(next));
  });

  /** The rest of the passage happens at once. */
  function hurry() {
    hurries = true;
    finish();
    if (pause === undefined) return; // the step under way brings the next
    stopPause();
    step();
  }

  function stopPause() {
    clearTimeout(pause);
    pause = undefined;
  }

  /** Plays to a position. @param {number} to  -1: no further */
  function play(to) {
    until = to;
    hurries = false;
    stopPause();
    document.querySelector(".playground")?.classList.toggle("playing", until >= 0);
    if (until >= 0) step();
  }

  /** The reader has taken the first step, for which the opening asks: the rest of its passage follows. @param {number} to */
  function rest(to) {
    until = to;
    left = run.position;
    document.querySelector(".playground")?.classList.add("playing");
  }

  /**
   * Reports whether a prediction waits for an answer; "not sure" is one. If so, the focus comes to
   * the question, and not to an answer, which the next Space would give.
   */
  function asks() {
    if (until >= 0 || guide()?.asks === undefined || run.position < run.tip) return false;
    document.getElementById("guess-title")?.focus();
    return true;
  }

  /**
   * Reports whether the class looks at what came of its question. If so, the focus comes to what puts the question away, which the
   * next press follows: room.css hides the lesson's own way meanwhile.
   */
  function standsAside() {
    const away = document.querySelector(".strip-next #poll-drop.primary");
    if (!(away instanceof HTMLElement) || until >= 0 || guide() === undefined || run.position < run.tip) return false;
    if ([...box.querySelectorAll(".card-foot > *")].some((way) => way.checkVisibility())) return false; // the page of another run
    away.focus();
    return true;
  }

  /** Reports whether the lesson is over. If so, the focus comes to what leads on, and the next press follows it: a step more would leave the lesson's path. */
  function ends() {
    const told = guide();
    if (until >= 0 || told?.over === undefined || told.own !== undefined || run.position < run.tip) return false;
    const on = /** @type {HTMLElement[]} */ ([...box.querySelectorAll(".card-foot .primary")]).find((way) => way.checkVisibility());
    if (on === document.activeElement) on?.click();
    else on?.focus();
    return true;
  }

  run.on("advance", () => {
    if (standsAside() || ends()) return false;
    leading = true;
    if (until >= 0 && run.position >= until) return false; // the lesson speaks as soon as the picture has come to its moment
    return !asks();
  });

  // The page says why it goes no further.
  run.on("error", () => play(-1));
  run.on("refuse", () => steps && play(-1));

  // On a lane, too, a press goes on with the lesson, or leaves its path on purpose.
  /** @type {HTMLElement | null} what would leave it */
  let leaving = null;
  document.addEventListener("submit", (event) => {
    const told = guide();
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (until >= 0 && button?.id === "step") { // while the lesson plays, a step more would be the reader's own
      event.preventDefault();
      event.stopPropagation();
      return hurry();
    }
    if (!told || told.own !== undefined || !button?.closest("#lane-tools") || button === leaving) return;
    const open = told.asks !== undefined && run.position === run.tip;
    if (!open && button.value === told.next) {
      leading = true;
      if (told.moment === "" && until < 0) rest(Number(told.until));
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (open) return void (standsAside() || asks());
    const own = meant(button.value, told.next ?? "");
    if (own) return void setTimeout(() => own.click()); // a form does not submit while it submits
    play(-1);
    leaving = button;
    element("leaving").hidden = false;
    element("stay-on-path").focus({ preventScroll: true });
  }, { capture: true });

  /**
   * A press on what a client has in flight is a step. Where the lesson moves it in two actions, the press means the first of them.
   * @param {string} value  of the pressed button @param {string} next  the lesson's action
   * @returns {HTMLElement | null} the button that does it
   */
  function meant(value, next) {
    const [verb, client] = next.split(" ");
    if (!["deliver", "receive"].includes(verb) || value !== `step ${client}`) return null;
    return document.querySelector(`#lane-tools [name=action][value="${next}"]`);
  }

  box.addEventListener("click", (event) => {
    const { id } = /** @type {Element} */ (event.target).closest("button") ?? { id: "" };
    if (id !== "leave-path" && id !== "stay-on-path") return;
    element("leaving").hidden = true;
    const chosen = leaving;
    focusNear(id === "leave-path" ? wayTo(chosen) : ["go-on"]);
    if (id === "leave-path") chosen?.click();
    leaving = null;
  });

  /** The page shows another position. */
  run.on("show", () => {
    if (hurries) finish();
    if (run.position < last) play(-1); // the reader went back
    last = run.position;
  });

  /** The picture has come to the position: after a step of the lesson to the next, and elsewhere to where it was. */
  function arrive() {
    if (until < 0 || run.position === left) return;
    if (run.position >= until) return play(-1);
    const { speed = "1" } = document.documentElement.dataset;
    pause = setTimeout(() => {
      pause = undefined;
      step();
    }, hurries ? 0 : PAUSE_MS / Number(speed || 1));
  }

  function step() {
    if (run.position >= until) return; // also of -1
    left = run.position;
    steps = true;
    run.step();
    steps = false;
  }

  /** Shows what only the browser knows: the answers, and the finished lessons. */
  function recall() {
    const shown = guide();
    if (!shown) {
      solved();
      return leads(course, question, kept);
    }
    if (shown.over !== undefined && !question) kept.finished(course, lesson);
    const came = document.getElementById("came");
    const given = came && kept.of(course, lesson).guesses[came.dataset.to ?? ""];
    if (came && given) {
      for (const said of /** @type {NodeListOf<HTMLElement>} */ (came.querySelectorAll("[data-after]"))) said.hidden = said.dataset.after !== given;
      came.hidden = false;
    }
    for (const link of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("[data-challenge].button"))) {
      link.toggleAttribute("data-solved", Object.hasOwn(kept.of(course, lesson).challenges, link.dataset.challenge ?? ""));
    }
    if (place() === heard) return leads(course, question, kept);
    heard = place();
    if (leading && came && given) {
      const right = came.querySelector(`.outcome-right[data-after="${given}"]`) !== null;
      if (question || !right) kept.knew(course, lesson, right); // a right prediction makes no missed one good
    }
    leads(course, question, kept);
    if (!leading) return; // somebody else led the run here
    leading = false;
    // The lesson has come to its next moment, which the reader hears now: the heading, and how the prediction came out.
    const title = element("task-title");
    if (came?.hidden === false) title.setAttribute("aria-describedby", "came");
    else title.removeAttribute("aria-describedby");
    title.focus({ preventScroll: true });
    box.querySelector(".card-text")?.scrollTo(0, 0);
    for (const more of /** @type {NodeListOf<HTMLDetailsElement>} */ (box.querySelectorAll(".more-text"))) more.open = false; // it was about the card before
  }

  function solved() {
    const { challenge = "", solved, actions } = document.getElementById("challenge")?.dataset ?? {};
    if (solved !== undefined) kept.solved(course, lesson, challenge, Number(actions));
  }

  new MutationObserver(recall).observe(box, { childList: true, subtree: true, characterData: true });
  recall();

  return { arrive };
}
