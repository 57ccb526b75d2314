/**
 * Tells a screen reader what happens, in one polite live region: the sentence of
 * the caption, or only that of a change, or nothing. A violation is not among them,
 * because it is an alert.
 *
 * @typedef {import("../trace/state.js").Event} Event
 */

/** Traffic, which changes nothing that a client believes or a key holds. */
const traffic = ["send", "deliver", "reply", "receive"];

/**
 * Returns the event of an action that is spoken.
 * @param {Event[]} events  those of the action
 * @param {string} verbosity  events, changes or off
 * @returns {Event | undefined}
 */
export function spoken(events, verbosity) {
  if (verbosity === "off") return undefined;
  const told = events.filter((e) => e.kind !== "violation");
  if (verbosity === "events") return told.at(-1);
  return told.findLast((e) => e.changes?.length || !traffic.includes(e.kind));
}

/**
 * @param {Document} document
 * @param {{lang: "en" | "zh", words: Record<string, string>}} options
 */
export function speech(document, { lang, words }) {
  const region = /** @type {HTMLElement} */ (document.querySelector("#spoken"));
  const alarm = /** @type {HTMLElement} */ (document.querySelector("#alarm"));
  const verbosity = () => document.documentElement.dataset.speak ?? "events";

  function refresh() {
    alarm.setAttribute("aria-live", verbosity() === "off" ? "off" : "assertive");
    if (verbosity() === "off") region.textContent = "";
  }

  refresh();
  return {
    refresh,
    /** Speaks of the position that the page moved to. @param {Event[]} events  of the action that led there; none: the beginning */
    say(events) {
      // The console's log speaks for itself.
      if (document.activeElement?.closest("#console") && events.some((e) => e.kind === "deliver")) return;
      const event = spoken(events, verbosity());
      if (event) region.textContent = event.sentence[lang];
      else if (events.length === 0 && verbosity() !== "off") region.textContent = words.beginning;
    },
  };
}
