/**
 * Sends the page's requests one after the other: a press during a request acts on
 * its outcome.
 *
 * @typedef {"action" | "program" | "look" | "restore" | "room"} About
 * @typedef {import("../console/console.js").Answer} Answer
 * @typedef {(answer: Answer) => void} Told
 */

/**
 * @param {object} options
 * @param {(message: {id: string}) => boolean} options.send  false: there is no connection
 * @param {(told: boolean) => string} options.onLost  a request could not be sent; told: its sender hears of it; returns why
 * @param {() => boolean} [options.ready]  false: the presses wait until next is called
 * @param {() => void} [options.onIdle]  each press has its answer
 */
export function requests({ send, onLost, ready = () => true, onIdle = () => {} }) {
  /** Prefix of this page's request ids, unlike those of other viewers of the run. */
  const me = Math.random().toString(36).slice(2, 10);
  let made = 0;
  /** @type {Map<string, {about: About, told?: Told}>} what waits for an answer */
  const pending = new Map();
  /** @type {(() => void)[]} what the reader has pressed meanwhile, in order */
  const pressed = [];
  /** @type {Set<Told>} who waits for what comes of a press */
  const waiting = new Set();
  let left = false;

  /** Reports whether an answer about one of these is awaited. @param {About[]} about */
  const awaits = (...about) => [...pending.values()].some((p) => about.includes(p.about));

  /** Reports whether a press has no answer yet. */
  const busy = () => pressed.length > 0 || awaits("action", "program", "restore", "room");

  /** Does the next presses, until one awaits an answer: moving to another position needs none. */
  function next() {
    while (!left && pressed.length > 0 && !awaits("action", "program", "restore") && ready()) pressed.shift()?.();
    if (!busy()) onIdle();
  }

  /**
   * @param {object} message
   * @param {About} about
   * @param {Told} [told]  hears the outcome
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

  /** Drops the presses: they were to act on an outcome that has not come. @param {string} sentence  why */
  function forget(sentence) {
    pressed.length = 0;
    for (const told of waiting) told({ ok: false, text: sentence });
    if (!busy()) onIdle();
  }

  return {
    ask,
    awaits,
    busy,
    next,
    forget,

    /** Does nothing any more: the answer leads to another page. */
    leave() {
      left = true;
    },

    /** Does something in its turn. @param {() => void} act */
    press(act) {
      pressed.push(act);
      next();
    },

    /** Does something in its turn, and resolves to the outcome. @param {(told: Told) => void} act @returns {Promise<Answer>} */
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

    /** Returns the request of an answer. @param {string} [id] @returns {{about?: About, told?: Told}} */
    settle(id = "") {
      const request = pending.get(id) ?? {};
      pending.delete(id);
      if (!busy()) onIdle();
      return request;
    },
  };
}
