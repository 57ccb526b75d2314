/**
 * Draws the counterexamples of an answer: one of them, at its end and ready to be played from
 * its beginning, and another one below it to compare. Both follow the same position.
 *
 * @typedef {import("./socket.js").Pictured} Pictured
 * @typedef {ReturnType<typeof playback>} Playback
 * @typedef {Parameters<typeof playback>[1]["words"]} Says
 */

import { reveal } from "../lib/reveal.js";
import { playback } from "../run/playback.js";
import { mark, running } from "../stage/code.js";
import { news, spoken } from "../run/speech.js";
import { stage } from "../stage/stage.js";
import { playhead } from "../trace/log.js";

/**
 * @param {HTMLElement} page  has new parts with each answer
 * @param {object} options
 * @param {"en" | "zh"} options.lang
 * @param {import("../timeline/layout.js").Words} options.words
 * @param {Says} options.says
 * @param {() => number} options.speed  of the reader's choice
 */
export function pictures(page, { lang, words, says, speed }) {
  /** @type {Pictured[]} */
  let all = [];
  /** @type {Map<number, ReturnType<typeof stage>>} */
  const drawn = new Map();
  let shown = 1;
  let compared = 0; // 0: none
  /** @type {Playback | undefined} of what is shown */
  let play;
  let told = 0; // the position that has been told to those who hear the page

  page.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-show], [data-compare]"));
    if (!button) return;
    const below = Number(button.dataset.compare);
    if (below) compared = compared === below || shown === below ? 0 : below;
    else {
      shown = Number(button.dataset.show);
      if (compared === shown) compared = 0;
    }
    arrange();
  });

  /** Shows the chosen ones in their order. */
  function arrange() {
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-show], [data-compare]"))) {
      const pressed = button.dataset.show ? Number(button.dataset.show) === shown : Number(button.dataset.compare) === compared;
      button.setAttribute("aria-pressed", String(pressed));
      button.hidden = Number(button.dataset.compare) === shown; // it would be compared with itself
    }
    const chosen = [shown, compared].filter(Boolean);
    for (const number of all.keys()) box(number + 1).hidden = !chosen.includes(number + 1);
    for (const story of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-story]"))) story.hidden = story.dataset.story !== String(shown);
    for (const section of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("section[data-of]"))) section.hidden = !chosen.includes(Number(section.dataset.of));
    for (const number of chosen) {
      box(number).parentElement?.append(box(number));
      if (!drawn.has(number)) drawn.set(number, draw(number));
    }
    const { scenario, events } = all[shown - 1];
    for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("#answer-scenario, #answer-show [name=scenario]"))) field.value = scenario;
    play?.stop();
    for (const part of ["#playback", "#why"]) refresh(part); // what listened there led through another one
    const card = /** @type {HTMLElement} */ (page.querySelector("#card"));
    page.querySelector("#play")?.classList.add("primary");
    const actions = Math.max(...chosen.map((number) => all[number - 1].events.at(-1)?.action ?? 0));
    told = actions;
    play = playback(card, {
      events, actions, lang, words: says, begin: actions,
      onMove(head, position) {
        picture(shown).show(events, { playhead: head });
        if (compared) picture(compared).show(all[compared - 1].events, { playhead: playhead(all[compared - 1].events, position) });
        card.toggleAttribute("data-under-way", position < actions);
        for (const sentence of /** @type {NodeListOf<HTMLElement>} */ (card.querySelectorAll("[data-until]"))) sentence.toggleAttribute("data-ahead", Number(sentence.dataset.until) > position);
      },
      onExplain: (seq) => picture(shown).explain(seq),
      onSpeed: (factor) => drawn.forEach((one) => one.speed(factor)),
      onArrive(state, position) {
        const last = events[state.seq - 1];
        const source = /** @type {HTMLElement | null} */ (page.querySelector("#answer-code")); // where the program is edited there is none
        if (source) {
          mark(source, running(state), last?.call?.client ?? last?.lane ?? "");
          blame(source, position === actions ? all[shown - 1].line : 0);
        }
        speak(events, position);
      },
    });
    play.speed(speed());
    play.show();
  }

  /** Says what has happened on the way to a position. @param {import("../trace/state.js").Event[]} events @param {number} to */
  function speak(events, to) {
    if (to === told) return;
    const verbosity = document.documentElement.dataset.speak ?? "events";
    const way = news(events, told, to);
    told = to;
    const said = verbosity === "off" ? [] : [...spoken(way, verbosity), ...way.filter((event) => event.kind === "violation")].map((event) => event.sentence[lang]);
    const region = page.querySelector("#explore-spoken");
    if (region) region.textContent = said.join(lang === "zh" ? "" : " ") || (to === 0 && verbosity !== "off" ? says.begin : "");
  }

  /** Marks the line that broke the lock. @param {HTMLElement} source @param {number} line  0: none does */
  function blame(source, line) {
    for (const one of /** @type {NodeListOf<HTMLElement>} */ (source.querySelectorAll("li"))) {
      one.classList.toggle("guilty", one.dataset.number === String(line));
      if (one.matches(".guilty")) reveal(one);
    }
  }

  /** Puts a copy of a part in its place. @param {string} selector */
  function refresh(selector) {
    const part = page.querySelector(selector);
    part?.replaceWith(part.cloneNode(true));
  }

  /** @param {number} number */
  function draw(number) {
    const one = stage(box(number), {
      lang, words,
      onSelect: (seq) => one.select(seq),
      onArrive: (seq) => number === shown && play?.arrived(seq),
      onSeek: (seq, done) => number === shown && play?.sought(seq, done),
    });
    return one;
  }

  /** @param {number} number */
  const picture = (number) => /** @type {ReturnType<typeof stage>} */ (drawn.get(number));

  /** @param {number} number */
  const box = (number) => /** @type {HTMLElement} */ (page.querySelector(`#counterexample-${number}`));

  return {
    /** @param {Pictured[]} counterexamples  of the answer that is in place now */
    show(counterexamples) {
      play?.stop();
      [all, shown, compared, play] = [counterexamples, 1, 0, undefined];
      for (const one of drawn.values()) one.show([]); // the next run is opened whole
      for (const part of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-script]"))) part.hidden = false;
      if (all.length > 0) arrange();
    },
    /** Letters may have another size now, or there may be another room. */
    resize() {
      for (const one of drawn.values()) one.resize();
    },
    /** Space is held down, and let go. */
    held: { begin: () => play?.held.begin(), end: () => play?.held.end() },
  };
}
