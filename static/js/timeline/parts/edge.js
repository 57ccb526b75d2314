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
import { SIZE, sectionText } from "../labels.js";
import { FLAG } from "../scale.js";
import { timeText } from "../../trace/time.js";
import { forms } from "./bands.js";
import { SIZE as CAUSE_SIZE, causeAt, causeText } from "./causes.js";
import { text } from "./label.js";
import { unhatched } from "./sections.js";
import { SIZE as FLAG_SIZE } from "./violations.js";

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
function bands({ bands, began }, { left, now }, { along, across, options: { words, measure } }) {
  return bands.flatMap((b) => {
    const [from, to] = [along(b.from), Math.min(along(b.to), now)];
    if (from >= left || to <= left) return [];
    const room = to - left;
    const content = forms(b, words.until, began).find((form) => measure(form, SIZE) + 2 * LEAST_PAD <= room);
    if (!content) return [];
    const pad = Math.min(PAD, (room - measure(content, SIZE)) / 2);
    const { at: y, size } = across.band(b.node, b.key);
    // Hatching shows that the lease is over: it is covered only where words are cut.
    const end = along(Math.min(b.expired, b.to));
    const own = from + PAD + measure(forms(b, words.until, began)[0], SIZE);
    // The word that the lease is over gives way to the value.
    const over = b.expired === Infinity ? 0 : Math.max(along(b.expired), own + PAD) + PAD;
    const covers = over > 0 && over < left + pad + measure(content, SIZE) + PAD ? over + measure(words.expired, SIZE) + 2 - left : 0;
    const ground = Math.min(room, covers > 0 ? covers : end > left ? Math.max(pad + measure(content, SIZE), own + 4 - left) : own - left);
    return [group(`${b.seq} ${b.node} ${b.key}`, b.seq, [
      ...(ground > 0 ? [rect("band-ground", left, y + 1, ground, size - 2)] : []),
      text("band-value", left + pad, y + size / 2 + 4, content, SIZE, "start", measure),
    ])];
  });
}

/** @param {import("../layout.js").All["marks"]} marks @param {Edges} edges @param {Frame} frame */
function sections({ sections }, { left, now }, { along, across, options: { words, measure } }) {
  const half = across.scale.bar;
  return sections.filter((s) => across.seen(s.client) && along(s.from) < left && along(s.to) > left).flatMap((s) => {
    const plain = unhatched(s).find((p) => along(p.from) < left && along(p.to) > left);
    if (!plain) return [];
    const room = Math.min(along(plain.to), now) - left - (s.ending === "crash" ? 12 : 0);
    const content = [sectionText(s, words), words.inside].find((t) => measure(t, SIZE) + 2 * PAD <= room);
    if (!content) return [];
    const own = along(plain.from) + PAD + measure(sectionText(s, words), SIZE) + 4;
    return [group(`${s.seq} inside`, s.seq, [
      rect("hold", left, across.lane(s.client) - half, Math.min(room, Math.max(PAD + measure(content, SIZE), own - left)), half * 2),
      text("hold-word", left + PAD, across.lane(s.client) + 4, content, SIZE, "start", measure),
    ])];
  });
}

/** A client that sleeps or is paused. @param {import("../layout.js").All["marks"]} marks @param {Edges} edges @param {Frame} frame */
function states({ sleeps, pauses }, { left, now }, { along, across, options: { words, measure } }) {
  /** @param {{from: number, to: number, lane: string}} span @param {string} content */
  const fits = ({ from, to, lane }, content) => across.seen(lane) && along(from) < left && Math.min(along(to), now) - left >= measure(content, SIZE) + 2 * PAD;
  const middle = measure(words.asleep, SIZE) / 2;
  return [
    ...sleeps.filter((s) => fits(s, words.asleep) && (along(s.from) + along(s.to)) / 2 - middle < left).map((s) => group(`${s.seq} asleep`, s.seq, [
      text("sleep-word", left + PAD, across.lane(s.lane) + 4, words.asleep, SIZE, "start", measure),
    ])),
    ...pauses.filter((p) => fits(p, words.paused)).map((p) => group(`${p.seq} paused`, p.seq, [
      text("pause-word", left + PAD, across.lane(p.lane) + across.scale.above, words.paused, SIZE, "start", measure),
    ])),
  ];
}

/** The time on the axis: the last that was told before the edge. @param {import("../layout.js").All["marks"]} marks @param {Edges} edges @param {Frame} frame */
function time({ start, began, ticks }, { left, now }, { along, across: { body }, options: { scale, measure } }) {
  if (scale === "real" || along(-1) + PAD >= left) return [];
  const before = ticks.findLast((t) => along(t.at) + PAD < left);
  const next = ticks.find((t) => along(t.at) + PAD >= left);
  const content = timeText(before ? before.time : start, began);
  const end = left + PAD + measure(content, SIZE);
  if (end + PAD > Math.min(now, next ? along(next.at) : Infinity)) return [];
  return [group("time", 0, [text("time", left + PAD, body.from - 12, content, SIZE, "start", measure)])];
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
      text("flag-word", place + width / 2, y + 17, content, FLAG_SIZE, "middle", measure),
      ...(more ? [text("flag-more", place + width + 4, y + 17, `+${count - 1}`, FLAG_SIZE, "start", measure)] : []),
    ])];
  });
}

/** The words of the last arrow from a cause that comes from before the edge. @param {import("../layout.js").All["marks"]} marks @param {Edges} edges @param {Frame} frame */
function cause({ causes }, { left, now }, frame) {
  const { along, rows, options: { words, measure } } = frame;
  const last = causes.findLast((c) => columnOf(c.from) < columnOf(c.to) && along(c.from) < left && along(c.to) > left && along(c.to) <= now);
  if (!last) return [];
  const content = causeText(last, words);
  const size = measure(content, CAUSE_SIZE);
  if (causeAt(last, { ...frame, start: 0 }, size) >= left) return []; // its own words are in view
  return [group(`${last.seq} cause`, last.seq, [text("cause-word", left + PAD, rows.body.to + rows.arc + 28, content, CAUSE_SIZE, "start", measure)])];
}
