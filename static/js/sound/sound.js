/**
 * Sounds what happens, while the reader has switched sound on. The notes are loaded
 * when the first is heard: most readers keep it off.
 *
 * @typedef {import("../trace/state.js").Event} Event
 */

export function sound() {
  /** @type {Promise<(events: Event[]) => void> | undefined} */
  let player;

  /** Sounds events that a picture has just shown. @param {Event[]} events */
  function pass(events) {
    if (document.documentElement.dataset.sound !== "on") return;
    player ??= import("./synthesis.js").then(({ synthesis }) => synthesis(new AudioContext()));
    player.then((play) => play(events), () => (player = undefined)); // without its file, or without a loudspeaker, the page goes on
  }

  return { pass };
}
