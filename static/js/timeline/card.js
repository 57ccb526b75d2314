/**
 * Lays out the end of a run for a card, the picture of a link, which the server draws
 * (web/picture). It is pure: it runs without a browser.
 *
 * @typedef {import("./shapes.js").Group} Group
 * @typedef {{events: import("../trace/state.js").Event[], words: import("./layout.js").Words, width: number, height: number}} Asked  the card's room, px
 * @typedef {{factor: number, from: number, height: number, groups: Group[], heads: Group[]}} Laid  to be drawn larger by the factor, which makes it as high as `height`; `from` px of the plan stand at the left edge
 */

import { fold } from "../trace/state.js";
import { layout } from "./layout.js";
import { marks } from "./model.js";
import { coarse } from "./parts/coarse.js";
import { approximate } from "./text.js";

const COLUMN = 48;

/** A chat shows a card at less than half its size, so its words are as large as the whole run allows. */
const WHOLE = [2, 1.8, 1.6, 1.4, 1.25, 1.1, 1, 0.9];

/** Of a longer run the end is seen, as large as the lanes allow. */
const END = [1.25, 1.1, 1, 0.9, 0.8, 0.7, 0.6, 0.5];

/** @param {Asked} asked @returns {Laid} */
export function card({ events, words, width, height }) {
  const state = fold(events);
  const run = marks(events, state);
  /** @param {number} factor */
  const laidOut = (factor) => layout(run, { words, measure: approximate, columnWidth: COLUMN, width: width / factor, height: height / factor, coarse });
  const factor = WHOLE.find((f) => fits(laidOut(f), width / f, height / f)) ?? END.find((f) => fits(laidOut(f), Infinity, height / f)) ?? END[END.length - 1];
  const plan = laidOut(factor);
  const from = Math.max(0, plan.reach - width / factor);
  const groups = plan.groups(from, from + width / factor);
  return {
    factor, from, height: plan.height * factor,
    groups: [...groups.filter((g) => !g.layer), ...groups.filter((g) => g.layer === "words"), ...plan.waiting(state, events.length)],
    heads: plan.heads(state),
  };
}

/** @param {import("./plan.js").Plan} plan @param {number} width @param {number} height */
const fits = (plan, width, height) => plan.reach <= width && plan.height <= height;
