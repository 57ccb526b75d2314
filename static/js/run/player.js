/**
 * Plays a run: forward to its end, and then the actions that the scheduler
 * chooses, one a beat, until there is something to look at.
 */

const BEAT_MS = 900;

/**
 * @param {HTMLElement} root
 * @param {{words: Record<string, string>, advance: (choice: {random: boolean, seed: number}) => boolean}} options  advance does one action; false: it cannot
 */
export function player(root, { words, advance }) {
  const button = /** @type {HTMLButtonElement} */ (root.querySelector("#play"));
  const word = /** @type {HTMLElement} */ (button.querySelector(".word"));
  const speed = /** @type {HTMLSelectElement} */ (root.querySelector("#play-speed"));
  const scheduler = /** @type {HTMLSelectElement | null} */ (root.querySelector("#play-scheduler")); // none: there is only the past
  const seed = /** @type {HTMLInputElement | null} */ (root.querySelector("#play-seed"));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let beat;

  const choice = () => ({ random: scheduler?.value === "random", seed: Math.max(0, Math.floor(Number(seed?.value)) || 0) });

  function play() {
    beat = setTimeout(play, BEAT_MS / Number(speed.value));
    if (!advance(choice())) stop();
  }

  function stop() {
    clearTimeout(beat);
    beat = undefined;
    say();
  }

  function say() {
    const playing = beat !== undefined;
    button.toggleAttribute("data-playing", playing);
    button.title = playing ? words.pause : words.play;
    button.setAttribute("aria-label", button.title);
    word.textContent = button.title;
  }

  button.addEventListener("click", () => {
    if (beat !== undefined) return stop();
    play();
    say();
  });
  root.hidden = false;

  return { stop, choice };
}
