/**
 * Plays the run that is in the same file, with the picture, the list and the
 * keys of the site. A position is the number of actions done: 0 is before the
 * first. The address may say where to begin and in which language: #step=9&lang=zh.
 * Without that the file opens where its trace says, or ready to be played.
 */

import { element } from "../lib/element.js";
import { keys } from "../site/keys.js";
import { list } from "../run/list.js";
import { opening } from "../trace/log.js";
import { playback } from "../run/playback.js";
import { down } from "../timeline/down.js";
import { downwards } from "../timeline/downwards.js";
import { minimap } from "../timeline/minimap.js";
import { code as codeOf } from "./code.js";
import { timeline } from "../timeline/timeline.js";
import { coarse } from "../timeline/parts/coarse.js";

/**
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {"en" | "zh"} Lang
 * @typedef {{timeline: import("../timeline/layout.js").Words, title: string, begin: string, why: string, whyOf: string, at: string, play: string, pause: string}} Words
 */

/** @type {{lang: Lang, actions: number, step?: number, events: Event[], words: Record<Lang, Words>}} */
const { actions, events, ...trace } = JSON.parse(element("trace").textContent ?? "");
downwards.lay = down;
const body = document.createElement("div");
body.className = "player-body";
document.body.prepend(body);

const asked = new URLSearchParams(location.hash.slice(1));
const wanted = asked.get("lang");
let position = asked.has("step") ? Number(asked.get("step")) : trace.step ?? opening(events);
let shown = speak(wanted === "en" || wanted === "zh" ? wanted : trace.lang);
keys(document, { begin: () => shown.play.held.begin(), end: () => shown.play.held.end() });

/** Shows the run in a language, from the start. @param {Lang} lang */
function speak(lang) {
  const words = trace.words[lang];
  document.documentElement.lang = lang === "zh" ? "zh-Hans" : lang;
  document.title = words.title;
  body.replaceChildren(/** @type {HTMLTemplateElement} */ (element(`player-${lang}`)).content.cloneNode(true));

  const picture = timeline(element("timeline-box"), {
    lang, words: words.timeline, coarse, minimap,
    onSelect: (seq) => select(seq, true),
    onArrive: (seq) => play.arrived(seq),
    onSeek: (seq, done) => play.sought(seq, done),
  });
  const twin = list(body, { lang, whole: Infinity });
  const code = codeOf(body, events);
  const play = playback(body, {
    events, actions, lang, words, begin: position, rests: true,
    onMove(head, to) {
      position = to;
      picture.show(events, { playhead: head });
      twin.show(events, head);
    },
    onExplain(seq) {
      picture.explain(seq);
      if (seq) select(seq, true);
    },
    onSpeed: picture.speed,
    onArrive: (state) => code.show(state, events[state.seq - 1]),
  });
  element("language").addEventListener("click", () => {
    play.stop();
    picture.finish(); // or it would arrive in the other language's page
    shown = speak(lang === "en" ? "zh" : "en");
    element("language").focus();
  });

  /** @param {number} seq  0: nothing @param {boolean} reveal  its row is brought into view */
  function select(seq, reveal) {
    picture.select(seq);
    twin.select(seq, reveal);
  }

  play.show();
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
