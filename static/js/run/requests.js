/**
 * What the page asks the server for, one after the other: what is pressed while
 * an answer is awaited acts on what that answer brings.
 *
 * @typedef {"action" | "program" | "look" | "restore" | "room"} About
 * @typedef {import("../console/console.js").Answer} Answer
 * @typedef {(answer: Answer) => void} Told
 */

/**
 * @param {object} options
 * @param {(message: {id: string}) => boolean} options.send  false: there is no connection
 * @param {(told: boolean) => string} options.onLost  a request could not be sent, and whoever made it will be told; returns why
 */
export function requests({ send, onLost }) {
  /** Ids of requests: nobody else's among those who watch this run. */
  const me = Math.random().toString(36).slice(2, 10);
  let made = 0;
  /** @type {Map<string, {about: About, told?: Told}>} what waits for an answer */
  const pending = new Map();
  /** @type {(() => void)[]} what the reader has pressed meanwhile, in order */
  const pressed = [];
  /** @type {Set<Told>} who waits for what comes of a press */
  const waiting = new Set();
  let left = false;

  /** Whether an answer about one of these is awaited. @param {About[]} about */
  const awaits = (...about) => [...pending.values()].some((p) => about.includes(p.about));

  /** Does what was pressed next, until something has to be answered first: to go to another position needs nobody. */
  function next() {
    while (!left && pressed.length > 0 && !awaits("action", "program", "restore")) pressed.shift()?.();
  }

  /**
   * @param {object} message
   * @param {About} about
   * @param {Told} [told]  is told the outcome
   */
  function ask(message, about, told) {
    const id = `${me}-${++made}`;
    if (send({ ...message, id })) {
      pending.set(id, { about, told });
      return true;
    }
    if (about !== "look") forget(onLost(told !== undefined));
    return false;
  }

  /** What was pressed is not done: it was to act on what has not come. @param {string} sentence  why */
  function forget(sentence) {
    pressed.length = 0;
    for (const told of waiting) told({ ok: false, text: sentence });
  }

  return {
    ask,
    awaits,
    next,
    forget,

    /** The answer leads to another page: what is pressed until it is there would be done on this one. */
    leave() {
      left = true;
    },

    /** Does something in its turn. @param {() => void} act */
    press(act) {
      pressed.push(act);
      next();
    },

    /** Does something in its turn, and says what came of it. @param {(told: Told) => void} act @returns {Promise<Answer>} */
    outcome(act) {
      return new Promise((resolve) => {
        const told = (/** @type {Answer} */ answer) => {
          waiting.delete(told);
          resolve(answer);
        };
        waiting.add(told);
        pressed.push(() => act(told));
        next();
      });
    },

    /** What an answer is about. @param {string} [id] @returns {{about?: About, told?: Told}} */
    settle(id = "") {
      const request = pending.get(id) ?? {};
      pending.delete(id);
      return request;
    },
  };
}
