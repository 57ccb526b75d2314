/**
 * What runs up: a part from 0 to 1 over a time, and a number within its sentence.
 */

import { steadily } from "../timeline/clock.js";

/** A count of states runs up for this long, ms. */
export const COUNT_MS = 900;

/**
 * Calls a step with the part that is done, frame by frame; at once with 1 where the reader wants no movement, or where nobody looks.
 * @param {Element} of  when it leaves the page, nothing runs any more
 * @param {number} ms
 * @param {(part: number) => void} step
 */
export function runUp(of, ms, step) {
  const begun = performance.now();
  const next = () => {
    if (!of.isConnected) return;
    const part = steadily() || document.visibilityState === "hidden" ? 1 : Math.min(1, (performance.now() - begun) / ms);
    step(part);
    if (part < 1) requestAnimationFrame(next);
  };
  next();
}

/**
 * Lets the number of a stamp's sentence run up.
 * @param {HTMLElement | null} feat  of views.Stamp
 * @param {object} [options]
 * @param {number} [options.from]
 * @param {number} [options.ms]
 */
export function countUp(feat, { from = 0, ms = COUNT_MS } = {}) {
  const { states } = feat?.dataset ?? {};
  if (!feat || !states) return;
  const sentence = feat.textContent ?? "";
  const all = Number(states.replaceAll(",", ""));
  runUp(feat, ms, (part) => {
    feat.textContent = part === 1 ? sentence : sentence.replace(states, Math.round(from + (all - from) * part).toLocaleString("en"));
  });
}
