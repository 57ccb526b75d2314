/**
 * Draws what lasts along a client's lane: critical sections with their belief strips, pauses, sleeps.
 *
 * @typedef {import("../model.js").Marks} Marks
 * @typedef {import("../model.js").Section} Section
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../shapes.js").Group} Group
 */

import { byClient, firstAfter } from "../sections.js";
import { sectionText } from "../labels.js";
import { ROUND } from "../scale.js";
import { WORD } from "../type.js";
import { text } from "./label.js";
import { hatched, lasting } from "./lasting.js";

/** A dead holder's belief goes on after it. @param {Section} s */
const lastOf = (s) => s.strip.reduce((last, b) => Math.max(last, b.to), s.to);

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function criticalSections({ sections }, frame) {
  const { along, across } = frame;
  const { bar, strip } = across.scale;
  return sections.filter((s) => frame.touches(s.from, lastOf(s)) && across.seen(s.client)).flatMap((s) => {
    const lane = across.lane(s.client);
    /** @param {string} name @param {{from: number, to: number}} span */
    const part = (name, span) => lasting(name, along, span, lane - bar, bar * 2, frame, ROUND.bar);
    const group = { seq: s.seq, class: "section", title: s.sentence };
    return [
      {
        ...group, key: `${s.seq} section`,
        shapes: [...s.strip.map((b) => lasting(b.borneOut ? "lease" : "lease-over", along, b, lane + strip.from, strip.size, frame)), part("hold", s)],
      },
      // Where it is one holder of several.
      ...s.hatched.map((h) => {
        const box = part("overlap", h);
        return { ...group, key: `${s.seq} ${h.seq} overlap`, opens: h.seq, shapes: [box, hatched("overlap-hatch", box, "rising", 12, frame)] };
      }),
    ];
  });
}

/** @param {Marks} marks @param {import("../layout.js").Right} frame @returns {Group[]} */
export function sectionWords({ sections }, { along, across, touches, type: { inside: size }, options: { words, measure } }) {
  return sections.filter((s) => touches(s.from, s.to) && across.seen(s.client)).flatMap((s) => {
    const plain = unhatched(s);
    // The sign of a crash lies over the end of its bar.
    const pad = s.ending === "crash" ? 28 : 16;
    const content = [sectionText(s, words), words.inside].find((t) => plain.some((p) => along(p.to) - along(p.from) >= measure(t, size) + pad));
    const place = content && plain.find((p) => along(p.to) - along(p.from) >= measure(content, size) + pad);
    if (!place) return [];
    return [{
      key: `${s.seq} inside`, seq: s.seq, class: "label", title: s.sentence, layer: /** @type {const} */ ("words"), since: s.seq,
      shapes: [text("hold-word", along(place.from) + 8, across.lane(s.client) + 5, content, size, "start", measure)],
    }];
  });
}

/** Words need a free place.
 * @param {Section} s
 */
export function unhatched({ from, to, hatched }) {
  const edges = [...hatched].sort((a, b) => a.from - b.from);
  return [from, ...edges.map((h) => h.to)].map((start, i) => ({ from: start, to: edges[i]?.from ?? to }));
}

/** A pause frames what stands still: it is seen around a bar too.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function pauses({ pauses, sections }, frame) {
  const { along, across, touches } = frame;
  const { bar, strip, frame: around } = across.scale;
  const inside = byClient(sections);
  return pauses.filter((p) => touches(p.from, p.to) && across.seen(p.lane)).map((p) => {
    const own = inside.get(p.lane) ?? [];
    const half = bar + around;
    const wide = half + (own[firstAfter(own, p.from)]?.from < p.to ? strip.from + strip.size + 3 : half);
    const box = lasting("pause-box", along, p, across.lane(p.lane) - half, wide, frame, ROUND.bar);
    return { key: `${p.seq} pause`, seq: p.seq, class: "pause", title: p.sentence, shapes: [box, hatched("pause-hatch", box, "upright", 8, frame)] };
  });
}

/** Where time runs to the right the bar has room for the word.
 * @param {Marks} marks @param {Frame} frame @returns {Group[]}
 */
export function sleeps({ sleeps }, frame) {
  const { axis, along, across, touches, options: { words, measure } } = frame;
  const { bar } = across.scale;
  return sleeps.filter((s) => touches(s.from, s.to) && across.seen(s.lane)).map((s) => {
    const lane = across.lane(s.lane);
    const box = lasting("sleep-box", along, s, lane - bar, 2 * bar, frame, bar);
    const word = axis.name === "x" && measure(words.asleep, WORD) + 16 <= box.width
      ? [text("sleep-word", box.x + box.width / 2, lane + 5, words.asleep, WORD, "middle", measure)]
      : [];
    return { key: `${s.seq} sleep`, seq: s.seq, class: "sleep", title: s.sentence, shapes: [box, ...word] };
  });
}
