/**
 * Leads through a run that is over: by its buttons, its scrubber, by playing, and by
 * the playhead in the reader's hand. A position is the number of actions done. The
 * words of the card follow the picture.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {import("../trace/state.js").State} State
 */

import { say, sayEach } from "../stage/card.js";
import { history } from "../timeline/history.js";
import { captionOf, causesOf } from "../trace/caption.js";
import { playhead } from "../trace/log.js";
import { violationAt } from "../trace/violations.js";
import { player } from "./player.js";

/**
 * @param {HTMLElement} root  has the transport of views.Playback, the caption and the alerts
 * @param {object} options
 * @param {Event[]} options.events
 * @param {number} options.actions
 * @param {string} options.lang  of the sentences
 * @param {{play: string, pause: string, begin: string, why: string, whyOf: string, at: string}} options.words
 * @param {number} options.begin  the first position
 * @param {boolean} [options.rests]  playing rests where a violation begins
 * @param {(head: number, position: number) => void} options.onMove  the picture is to show the run up to this event
 * @param {(seq: number) => void} options.onExplain  the picture is to point at this event, which made a violation inevitable; 0: at none
 * @param {(factor: number) => void} options.onSpeed
 * @param {(state: State, position: number) => void} [options.onArrive]  the picture shows this state
 */
export function playback(root, { events, actions, lang, words, begin, rests = false, onMove, onExplain, onSpeed, onArrive = () => {} }) {
  /** @param {string} id */
  const part = (id) => /** @type {HTMLElement} */ (root.querySelector(`#${id}`));
  const scrubber = /** @type {HTMLInputElement} */ (part("position"));
  const why = part("why");
  const states = history();
  states.read(events);
  let position = bounded(begin);
  scrubber.max = String(actions);
  part("playback").hidden = false;

  // At the end, Play starts again from the beginning.
  part("play").addEventListener("click", () => {
    if (position === actions && !part("play").hasAttribute("data-playing")) goTo(0);
  });
  const play = player(part("play-controls"), {
    words,
    advance() {
      if (position === actions) return false;
      goTo(position + 1);
      return position < actions && !(rests && violationAt(events, position));
    },
    onSpeed,
  });

  /** @type {Record<string, () => number>} */
  const moves = { first: () => 0, back: () => position - 1, step: () => position + 1, last: () => actions };
  for (const [id, to] of Object.entries(moves)) part(id).addEventListener("click", () => leave(to()));
  scrubber.addEventListener("input", () => leave(Number(scrubber.value)));
  why.addEventListener("click", (event) => {
    const asked = /** @type {Element} */ (event.target).closest("[data-why]");
    if (asked) explain(asked.getAttribute("aria-pressed") === "true" ? 0 : Number(asked.getAttribute("data-why")));
  });

  /** @param {number} to */
  function bounded(to) {
    return Math.min(actions, Math.max(0, Math.trunc(to) || 0));
  }

  /** @param {number} to */
  function goTo(to) {
    position = bounded(to);
    show();
  }

  /** The reader goes where playing does not. @param {number} to */
  function leave(to) {
    play.stop();
    goTo(to);
  }

  /** @param {number} seq  0: at none */
  function explain(seq) {
    onExplain(seq);
    for (const button of why.children) button.setAttribute("aria-pressed", String(Number(button.getAttribute("data-why")) === seq));
  }

  function show() {
    onMove(playhead(events, position), position);
    explain(0);
    scrubber.value = String(position);
    part("position-text").textContent = `${position} / ${actions}`;
    scrubber.setAttribute("aria-valuetext", words.at.replace("{n}", String(position)).replace("{of}", String(actions)));
    for (const [id, off] of Object.entries({ first: position === 0, back: position === 0, step: position === actions, last: position === actions })) {
      if (off) part(id).setAttribute("aria-disabled", "true");
      else part(id).removeAttribute("aria-disabled");
    }
  }

  return {
    show,
    goTo,
    stop: play.stop,
    held: play.held,
    speed: play.speed,

    /** The picture shows an event: words follow. @param {number} seq */
    arrived(seq) {
      const head = playhead(events, position);
      if (seq !== head) return; // it is on its way to another one already
      play.arrived();
      const state = states.at(head);
      const { caption, alerts } = captionOf(events.slice(0, head), position, state.violations);
      const causes = causesOf(alerts);
      say(part("caption"), caption?.sentence[lang] ?? words.begin);
      sayEach(part("alerts"), alerts.map((event) => event.sentence[lang]));
      why.hidden = causes.length === 0;
      why.replaceChildren(...causes.map((cause) => {
        const button = document.createElement("button");
        button.textContent = causes.length === 1 ? words.why : words.whyOf.replace("{seq}", String(cause));
        button.className = "button";
        button.setAttribute("type", "button");
        button.dataset.why = String(cause);
        button.setAttribute("aria-pressed", "false");
        return button;
      }));
      onArrive(state, position);
    },

    /** The playhead has been dragged. @param {number} seq @param {boolean} done */
    sought(seq, done) {
      if (done) leave(events[seq - 1]?.action ?? 0);
    },
  };
}
