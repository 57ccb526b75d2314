/**
 * Draws the counterexamples: one of them, and another one below it to compare.
 *
 * @typedef {import("./socket.js").Pictured} Pictured
 */

import { stage } from "../stage/stage.js";

/**
 * @param {HTMLElement} outcome  has new content with each answer
 * @param {{lang: "en" | "zh", words: import("../timeline/layout.js").Words}} options
 */
export function pictures(outcome, options) {
  /** @type {Pictured[]} */
  let all = [];
  /** @type {Map<number, ReturnType<typeof stage>>} */
  let drawn = new Map();
  let shown = 1;
  let compared = 0; // 0: none

  outcome.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-show], [data-compare]"));
    if (!button) return;
    const below = Number(button.dataset.compare);
    if (below) compared = compared === below || shown === below ? 0 : below;
    else {
      shown = Number(button.dataset.show);
      if (compared === shown) compared = 0;
    }
    arrange();
  });

  /** Shows the chosen sections in their order, with their pictures. */
  function arrange() {
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (outcome.querySelectorAll("[data-show], [data-compare]"))) {
      const pressed = button.dataset.show ? Number(button.dataset.show) === shown : Number(button.dataset.compare) === compared;
      button.setAttribute("aria-pressed", String(pressed));
    }
    for (const number of all.keys()) section(number + 1).hidden = ![shown, compared].includes(number + 1);
    for (const number of [shown, compared]) {
      if (number === 0) continue;
      outcome.append(section(number));
      draw(number);
    }
  }

  /** @param {number} number */
  function draw(number) {
    if (drawn.has(number)) return;
    const { events, cause } = all[number - 1];
    const box = /** @type {HTMLElement} */ (section(number).querySelector(".timeline-box"));
    const caption = /** @type {HTMLElement} */ (section(number).querySelector("[data-caption]"));
    const says = caption.textContent ?? "";
    const why = section(number).querySelector("[data-why]");
    const picture = stage(box, {
      ...options,
      onSelect(seq) {
        picture.select(seq);
        caption.textContent = seq ? events[seq - 1].sentence[options.lang] : says;
        caption.classList.toggle("violation-word", !seq || events[seq - 1].kind === "violation");
      },
    });
    picture.show(events);
    why?.addEventListener("click", () => {
      const explained = why.getAttribute("aria-pressed") !== "true";
      why.setAttribute("aria-pressed", String(explained));
      picture.explain(explained ? cause : 0);
    });
    drawn.set(number, picture);
  }

  /** @param {number} number */
  const section = (number) => /** @type {HTMLElement} */ (outcome.querySelector(`#counterexample-${number}`));

  return {
    /** @param {Pictured[]} counterexamples  of the outcome that is in place now */
    show(counterexamples) {
      [all, drawn, shown, compared] = [counterexamples, new Map(), 1, 0];
      if (all.length === 0) return;
      for (const part of /** @type {NodeListOf<HTMLElement>} */ (outcome.querySelectorAll("[data-script]"))) part.hidden = false;
      arrange();
    },
    /** Letters may have another size now. */
    resize() {
      for (const picture of drawn.values()) picture.resize();
    },
  };
}
