/**
 * Repeats at the left edge of the view what began before it: on a wall nobody can scroll back to the value of a key, the
 * name of a bar, the time or the words of a violation. Each stands on a ground that covers the rest of the words that are
 * cut there. A flag moves away from the right edge too.
 *
 * @typedef {import("../layout.js").Right} Frame
 * @typedef {import("../shapes.js").Group} Group
 * @typedef {import("../shapes.js").Shape} Shape
 * @typedef {{left: number, right: number, now: number}} Edges  of the view, and the playhead, px
 */

import { columnOf } from "../moments.js";
import { rect } from "../shapes.js";
import { sectionText, valueText } from "../labels.js";
import { FLAG } from "../scale.js";
import { timeText } from "../../trace/time.js";
import { WORD, typeOf } from "../type.js";
import { wordsIn } from "./bands.js";
import { causeAt, causeText } from "./causes.js";
import { text } from "./label.js";
import { unhatched } from "./sections.js";

const PAD = 8;
const LEAST_PAD = 3;

/**
 * @param {import("../layout.js").All} all
 * @param {Edges} edges
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function edge({ marks, flagged }, edges, frame) {
  return [...bands(marks, edges, frame), ...sections(marks, edges, frame), ...states(marks, edges, frame), ...time(marks, edges, frame), ...flags(flagged, edges, frame), ...cause(marks, edges, frame)];
}

/** @param {string} key @param {number} seq @param {Shape[]} shapes @returns {Group} */
const group = (key, seq, shapes) => ({ key: `edge ${key}`, seq, class: "edge-word", title: null, shapes });

/** @param {import("../layout.js").All["marks"]} marks @param {Edges} edges @param {Frame} frame */
function bands({ bands, began }, { left, now }, frame) {
  const { along, rows, type, options: { words, measure } } = frame;
  return bands.flatMap((b) => {
    const [from, to] = [along(b.from), Math.min(along(b.to), now)];
    if (from >= left || to <= left) return [];
    const room = to - left;
    const narrow = Math.max(0, Math.min(PAD, (room - measure(valueText(b), type.value)) / 2));
    const { shapes, width } = wordsIn(b, left + narrow, room - 2 * LEAST_PAD, began, frame);
    if (shapes.length === 0) return [];
    const { at: y, size } = rows.band(b.node, b.key);
    // Hatching shows that the lease is over: it is covered only where words are cut.
    const end = along(Math.min(b.expired, b.to));
    const own = from + PAD + wordsIn(b, from + PAD, Infinity, began, frame).width;
    // The word that the lease is over gives way to the value.
    const over = b.expired === Infinity ? 0 : Math.max(along(b.expired), own + PAD) + PAD;
    const covers = over > 0 && over < left + narrow + width + PAD ? over + measure(words.expired, type.inside) + 2 - left : 0;
    const ground = Math.min(room, covers > 0 ? covers : end > left ? Math.max(narrow + width, own + 4 - left) : own - left);
    return [group(`${b.seq} ${b.node} ${b.key}`, b.seq, [...(ground > 0 ? [rect("band-ground", left, y, ground, size)] : []), ...shapes])];
  });
}

/** @param {import("../layout.js").All["marks"]} marks @param {Edges} edges @param {Frame} frame */
function sections({ sections }, { left, now }, { along, across, type: { inside: size }, options: { words, measure } }) {
  const half = across.scale.bar;
  return sections.filter((s) => across.seen(s.client) && along(s.from) < left && along(s.to) > left).flatMap((s) => {
    const plain = unhatched(s).find((p) => along(p.from) < left && along(p.to) > left);
    if (!plain) return [];
    const room = Math.min(along(plain.to), now) - left - (s.ending === "crash" ? 12 : 0);
    const content = [sectionText(s, words), words.inside].find((t) => measure(t, size) + 2 * PAD <= room);
    if (!content) return [];
    const own = along(plain.from) + PAD + measure(sectionText(s, words), size) + 4;
    return [group(`${s.seq} inside`, s.seq, [
      rect("hold", left, across.lane(s.client) - half, Math.min(room, Math.max(PAD + measure(content, size), own - left)), half * 2),
      text("hold-word", left + PAD, across.lane(s.client) + 5, content, size, "start", measure),
    ])];
  });
}

/** A client that sleeps or is paused. @param {import("../layout.js").All["marks"]} marks @param {Edges} edges @param {Frame} frame */
function states({ sleeps, pauses }, { left, now }, { along, across, options: { words, measure } }) {
  /** @param {{from: number, to: number, lane: string}} span @param {string} content */
  const fits = ({ from, to, lane }, content) => across.seen(lane) && along(from) < left && Math.min(along(to), now) - left >= measure(content, WORD) + 2 * PAD;
  const middle = measure(words.asleep, WORD) / 2;
  return [
    ...sleeps.filter((s) => fits(s, words.asleep) && (along(s.from) + along(s.to)) / 2 - middle < left).map((s) => group(`${s.seq} asleep`, s.seq, [
      text("sleep-word", left + PAD, across.lane(s.lane) + 4, words.asleep, WORD, "start", measure),
    ])),
    ...pauses.filter((p) => fits(p, words.paused)).map((p) => group(`${p.seq} paused`, p.seq, [
      text("pause-word", left + PAD, across.lane(p.lane) + across.scale.above, words.paused, WORD, "start", measure),
    ])),
  ];
}

/** The time on the axis: the last that was told before the edge. @param {import("../layout.js").All["marks"]} marks @param {Edges} edges @param {Frame} frame */
function time({ start, began, ticks }, { left, now }, { along, across: { body }, type, options: { scale, measure } }) {
  if (scale === "real" || along(-1) + PAD >= left) return [];
  const before = ticks.findLast((t) => along(t.at) + PAD < left);
  const next = ticks.find((t) => along(t.at) + PAD >= left);
  const content = timeText(before ? before.time : start, began);
  const size = before ? type.clock : WORD;
  const end = left + PAD + measure(content, size);
  if (end + PAD > Math.min(now, next ? along(next.at) : Infinity)) return [];
  return [group("time", 0, [text(before ? "time clock" : "time", left + PAD, body.from - 10, content, size, "start", measure)])];
}

/** @param {import("../layout.js").All["flagged"]} flagged @param {Edges} edges @param {Frame} frame */
function flags(flagged, { left, right, now }, { along, stretch, rows, options: { measure } }) {
  const seen = flagged.filter((f) => along(f.violation.from) <= now && stretch(f.violation).to > left && f.x < right);
  return seen.flatMap((f) => {
    const { violation: v, row, width, count, text: content } = f;
    const more = count > 1 ? 36 : 0;
    const place = Math.max(left, Math.min(f.x, right - width - more - PAD));
    if (content === "1" || place === f.x) return [];
    if (seen.some((other) => other !== f && other.row === row && other.x < place + width + PAD && other.x + other.width > place)) return [];
    const y = rows.flags + row * rows.flagPitch;
    return [group(`${v.seq} flag`, v.seq, [
      rect("edge-ground", place, y, Math.max(width + more, f.x + width - place), FLAG.height),
      rect("flag", place, y, width, FLAG.height, 4),
      text("flag-word", place + width / 2, y + FLAG.baseline, content, typeOf(rows.compact).flag, "middle", measure),
      ...(more ? [text("flag-more", place + width + 4, y + FLAG.baseline, `+${count - 1}`, WORD, "start", measure)] : []),
    ])];
  });
}

/** The words of the last arrow from a cause that comes from before the edge. @param {import("../layout.js").All["marks"]} marks @param {Edges} edges @param {Frame} frame */
function cause({ causes }, { left, now }, frame) {
  const { along, rows, options: { words, measure } } = frame;
  const last = causes.findLast((c) => columnOf(c.from) < columnOf(c.to) && along(c.from) < left && along(c.to) > left && along(c.to) <= now);
  if (!last) return [];
  const content = causeText(last, words);
  const size = measure(content, WORD);
  if (causeAt(last, { ...frame, start: 0 }, size) >= left) return []; // its own words are in view
  return [group(`${last.seq} cause`, last.seq, [text("cause-word", left + PAD, rows.body.to + rows.arc + 28, content, WORD, "start", measure)])];
}
