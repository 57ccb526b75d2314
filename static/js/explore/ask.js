/**
 * Asks the server while a control moves: one question at a time, and then the newest.
 * A question that takes long gives way to a newer one.
 *
 * @typedef {import("./socket.js").Answer} Answer
 * @typedef {import("./socket.js").Refusal} Refusal
 * @typedef {{type: "unfinished", states: number, depth: number, depths: number[]}} Unfinished  it takes longer than a page waits for
 * @typedef {{query: string, source: string}} Question
 */

/** An answer that has not come by then is given up for that to a newer question, ms. */
const PATIENCE_MS = 100;

/**
 * @param {string} address
 * @param {object} handlers
 * @param {(answer: Answer | Unfinished | Refusal, question: Question) => void} handlers.onAnswer
 * @param {(question: Question) => void} handlers.onLost  there is no connection
 */
export function asker(address, { onAnswer, onLost }) {
  /** @type {Question | undefined} */
  let next;
  /** @type {AbortController | undefined} */
  let asking;
  let begun = 0;

  async function go() {
    while (next) {
      const question = next;
      next = undefined;
      asking = new AbortController();
      begun = performance.now();
      try {
        const answer = await (await fetch(...request(question, asking.signal))).json();
        if (!asking.signal.aborted) onAnswer(answer, question);
      } catch {
        if (!asking.signal.aborted) onLost(question);
      }
    }
    asking = undefined;
  }

  /** @param {Question} question @param {AbortSignal} signal @returns {Parameters<typeof fetch>} */
  function request({ query, source }, signal) {
    const headers = { Accept: "application/json" };
    if (!source) return [`${address}&${query}`, { headers, signal }];
    return [address, { method: "POST", body: new URLSearchParams(`${query}&${new URLSearchParams({ source })}`), headers, signal }];
  }

  return {
    /** @param {Question} question */
    ask(question) {
      next = question;
      if (!asking) void go();
      else if (performance.now() - begun > PATIENCE_MS) asking.abort();
    },
    /** Nobody waits for an answer any more. */
    leave() {
      next = undefined;
      asking?.abort();
    },
  };
}
