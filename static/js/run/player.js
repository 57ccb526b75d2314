/**
 * Plays a run: forward to its end, and then the actions that the scheduler
 * chooses, until there is something to look at. Each action begins when the picture
 * has shown the one before: playing is the position over time, by the picture's clock.
 */

/** The picture rests this long after each action, ms at the speed 1: time to see what has come of it. */
const REST_MS = 350;

/**
 * @param {HTMLElement} root
 * @param {object} options
 * @param {Record<string, string>} options.words
 * @param {(choice: {random: boolean, seed: number}) => boolean} options.advance  does one action; false: it cannot, or there is something to look at
 * @param {(factor: number) => void} options.onSpeed  the reader wants pictures to move that many times as fast
 */
export function player(root, { words, advance, onSpeed }) {
  const button = /** @type {HTMLButtonElement} */ (root.querySelector("#play"));
  const word = /** @type {HTMLElement} */ (button.querySelector(".word"));
  const speed = /** @type {HTMLSelectElement} */ (root.querySelector("#play-speed"));
  const scheduler = /** @type {HTMLSelectElement | null} */ (root.querySelector("#play-scheduler")); // none: there is only the past
  const seed = /** @type {HTMLInputElement | null} */ (root.querySelector("#play-seed"));
  let playing = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let rest;

  const choice = () => ({ random: scheduler?.value === "random", seed: Math.max(0, Math.floor(Number(seed?.value)) || 0) });

  function next() {
    rest = undefined;
    if (!advance(choice())) stop();
  }

  function play() {
    playing = true;
    say();
    next();
  }

  function stop() {
    clearTimeout(rest);
    rest = undefined;
    playing = false;
    say();
  }

  /** The picture has shown the action to its end. */
  function arrived() {
    if (playing) rest ??= setTimeout(next, REST_MS / Number(speed.value));
  }

  function say() {
    button.toggleAttribute("data-playing", playing);
    button.title = playing ? words.pause : words.play;
    button.setAttribute("aria-label", button.title);
    word.textContent = button.title;
  }

  button.addEventListener("click", () => (playing ? stop() : play()));
  speed.addEventListener("change", () => onSpeed(Number(speed.value)));
  onSpeed(Number(speed.value));
  root.hidden = false;

  return {
    stop,
    choice,
    arrived,

    /** A key that steps is held down: goes on playing from that step, until it is let go. */
    held: {
      begin() {
        if (playing) return;
        playing = true;
        say();
        arrived();
      },
      end: stop,
    },

    /** Takes the reader's setting over. @param {number} factor */
    speed(factor) {
      speed.value = String(factor);
      onSpeed(factor);
    },
  };
}
