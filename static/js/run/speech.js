/**
 * Tells a screen reader what happens, in one polite live region: the sentences of
 * what the picture has shown, or only that of a change, or nothing. A violation is
 * not among them, because it is an alert.
 *
 * @typedef {import("../trace/state.js").Event} Event
 */

import { playhead } from "../trace/log.js";

/** Traffic, which changes nothing that a client believes or a key holds. */
const traffic = ["send", "deliver", "reply", "receive"];

/** How many actions are spoken one after another; after more, only the last one is. */
const SEVERAL = 3;

/**
 * Returns the events that are spoken, in order.
 * @param {Event[]} events  those that the picture has shown
 * @param {string} verbosity  events, changes or off
 * @returns {Event[]}
 */
export function spoken(events, verbosity) {
  if (verbosity === "off") return [];
  const told = events.filter((e) => e.kind !== "violation");
  return verbosity === "events" ? told : told.filter((e) => e.changes?.length || !traffic.includes(e.kind)).slice(-1);
}

/**
 * Returns the events of the way to a position, a few actions at most.
 * @param {Event[]} events  the whole log
 * @param {number} from  the position of which was told last
 * @param {number} to
 */
export function news(events, from, to) {
  const near = from < to && to - from <= SEVERAL;
  return events.slice(playhead(events, near ? from : to - 1), playhead(events, to));
}

/**
 * @param {Document} document
 * @param {{lang: "en" | "zh", words: Record<string, string>, position: number}} options  position: where the reader begins
 */
export function speech(document, { lang, words, position }) {
  const region = /** @type {HTMLElement} */ (document.querySelector("#spoken"));
  const alarm = /** @type {HTMLElement} */ (document.querySelector("#alarm"));
  const verbosity = () => document.documentElement.dataset.speak ?? "events";
  let told = position;

  function refresh() {
    alarm.setAttribute("aria-live", verbosity() === "off" ? "off" : "assertive");
    if (verbosity() === "off") region.textContent = "";
  }

  refresh();
  return {
    refresh,
    /** Speaks of the way to the position that the picture shows now. @param {Event[]} log @param {number} to */
    say(log, to) {
      if (to === told) return;
      const events = news(log, told, to);
      told = to;
      // The console's log speaks for itself.
      if (document.activeElement?.closest("#console") && events.some((e) => e.kind === "deliver")) return;
      const sentences = spoken(events, verbosity()).map((event) => event.sentence[lang]);
      if (sentences.length > 0) region.textContent = sentences.join(lang === "zh" ? "" : " ");
      else if (to === 0 && verbosity() !== "off") region.textContent = words.beginning;
    },
  };
}
