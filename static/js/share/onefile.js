/**
 * Plays the run that is in the same file, with the picture, the list and the
 * keys of the site. A position is the number of actions done: 0 is before the
 * first. The address may say where to begin and in which language: #step=9&lang=zh.
 */

import { captionOf, causesOf } from "../trace/caption.js";
import { element } from "../lib/element.js";
import { keys } from "../site/keys.js";
import { list } from "../run/list.js";
import { opening, playhead } from "../trace/log.js";
import { violationAt } from "../trace/violations.js";
import { player } from "../run/player.js";
import { history } from "../timeline/history.js";
import { minimap } from "../timeline/minimap.js";
import { layout as layoutDown } from "../timeline/vertical/layout.js";
import { code as codeOf } from "./code.js";
import { say, sayEach } from "../stage/card.js";
import { timeline } from "../timeline/timeline.js";

/**
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {"en" | "zh"} Lang
 * @typedef {{timeline: import("../timeline/layout.js").Words, title: string, begin: string, why: string, whyOf: string, play: string, pause: string}} Words
 */

/** @type {{lang: Lang, actions: number, events: Event[], words: Record<Lang, Words>}} */
const { actions, events, ...trace } = JSON.parse(element("trace").textContent ?? "");
const body = document.createElement("div");
body.className = "player-body";
document.body.prepend(body);
const states = history();
states.read(events);

const asked = new URLSearchParams(location.hash.slice(1));
const wanted = asked.get("lang");
let position = bounded(asked.has("step") ? Number(asked.get("step")) : opening(events));
let shown = speak(wanted === "en" || wanted === "zh" ? wanted : trace.lang);
keys(document, { begin: () => shown.play.held.begin(), end: () => shown.play.held.end() });

/** Shows the run in a language, from the start. @param {Lang} lang */
function speak(lang) {
  const words = trace.words[lang];
  document.documentElement.lang = lang === "zh" ? "zh-Hans" : lang;
  document.title = words.title;
  body.replaceChildren(/** @type {HTMLTemplateElement} */ (element(`player-${lang}`)).content.cloneNode(true));

  const picture = timeline(element("timeline-box"), { lang, words: words.timeline, down: { layout: layoutDown, load: async () => {} }, minimap, onSelect: (seq) => select(seq, true), onArrive: arrived, onSeek: sought });
  const twin = list(body, { lang, whole: Infinity });
  const code = codeOf(body, events);
  const scrubber = /** @type {HTMLInputElement} */ (element("position"));
  const why = element("why");
  scrubber.max = String(actions);

  // At the end, Play starts again from the beginning.
  element("play").addEventListener("click", () => {
    if (position === actions && !element("play").hasAttribute("data-playing")) goTo(0);
  });
  const play = player(element("play-controls"), {
    words: { play: words.play, pause: words.pause },
    advance() {
      if (position === actions) return false;
      goTo(position + 1);
      return position < actions && !violationAt(events, position);
    },
    onSpeed: picture.speed,
  });

  /** @type {Record<string, () => number>} */
  const moves = { first: () => 0, back: () => position - 1, step: () => position + 1, last: () => actions };
  for (const [id, to] of Object.entries(moves)) {
    element(id).addEventListener("click", () => {
      play.stop();
      goTo(to());
    });
  }
  scrubber.addEventListener("input", () => {
    play.stop();
    goTo(Number(scrubber.value));
  });
  why.addEventListener("click", (event) => {
    const asked = /** @type {Element} */ (event.target).closest("[data-why]");
    if (asked) explain(asked.getAttribute("aria-pressed") === "true" ? 0 : Number(asked.getAttribute("data-why")));
  });
  element("language").addEventListener("click", () => {
    play.stop();
    shown = speak(lang === "en" ? "zh" : "en");
    element("language").focus();
  });

  /** @param {number} to */
  function goTo(to) {
    position = bounded(to);
    show();
  }

  /** @param {number} seq  0: nothing @param {boolean} reveal  its row is brought into view */
  function select(seq, reveal) {
    picture.select(seq);
    twin.select(seq, reveal);
  }

  /** Points at the event that made a violation inevitable. @param {number} seq  0: at none */
  function explain(seq) {
    picture.explain(seq);
    if (seq) select(seq, true);
    for (const button of why.children) button.setAttribute("aria-pressed", String(Number(button.getAttribute("data-why")) === seq));
  }

  /** The playhead has been dragged. @param {number} seq @param {boolean} done */
  function sought(seq, done) {
    if (!done) return;
    play.stop();
    goTo(events[seq - 1]?.action ?? 0);
  }

  function show() {
    const head = playhead(events, position);
    picture.show(events, { playhead: head });
    twin.show(events, head);
    explain(0);
    scrubber.value = String(position);
    element("position-text").textContent = `${position} / ${actions}`;
    disable("first", position === 0);
    disable("back", position === 0);
    disable("step", position === actions);
    disable("last", position === actions);
  }

  /** The picture shows the position: words follow. @param {number} seq */
  function arrived(seq) {
    const head = playhead(events, position);
    if (seq !== head) return; // it is on its way to another one already
    play.arrived();
    code.show(states.at(head), events[head - 1]);
    const { caption, alerts } = captionOf(events.slice(0, head), position, states.at(head).violations);
    const causes = causesOf(alerts);
    say(element("caption"), caption?.sentence[lang] ?? words.begin);
    sayEach(element("alerts"), alerts.map((event) => event.sentence[lang]));
    why.hidden = causes.length === 0;
    why.replaceChildren(...causes.map((seq) => {
      const button = document.createElement("button");
      button.textContent = causes.length === 1 ? words.why : words.whyOf.replace("{seq}", String(seq));
      button.className = "button";
      button.setAttribute("type", "button");
      button.dataset.why = String(seq);
      button.setAttribute("aria-pressed", "false");
      return button;
    }));
  }

  show();
  return { select, play };
}

// A click on a row of the list or of the wire selects its event.
body.addEventListener("click", (event) => {
  const marked = /** @type {Element} */ (event.target).closest("[data-seq]");
  if (!marked || marked.closest(".timeline-box")) return; // the picture selects by itself
  event.preventDefault(); // there is no address behind the number
  shown.play.stop();
  shown.select(Number(marked.getAttribute("data-seq")), false);
});

/** @param {number} to */
function bounded(to) {
  return Math.min(actions, Math.max(0, Math.trunc(to) || 0));
}

/** @param {string} id @param {boolean} off */
function disable(id, off) {
  if (off) element(id).setAttribute("aria-disabled", "true");
  else element(id).removeAttribute("aria-disabled");
}
