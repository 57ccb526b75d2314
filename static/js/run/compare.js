/**
 * Compares two runs, one above the other: both pictures have one playhead and one view,
 * both mark where they diverge, and a sentence says how. A small stage shows one at a time.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {{run: string, path: string, here: string, there: string, log: import("./socket.js").Stretch, omitted: {here: number[], there: number[]}, words: Record<string, string>}} Beside  here and there: the names of the runs
 * @typedef {import("../stage/stage.js").stage} Stage
 * @typedef {ReturnType<Stage>} Picture
 */

import { say } from "../stage/card.js";
import { common, counterpart } from "../trace/divergence.js";
import { NOTHING, follow, playhead } from "../trace/log.js";
import { violationAt } from "../trace/violations.js";
import { linkViews } from "./linked-views.js";
import { coarse } from "../timeline/parts/coarse.js";

/** Between two drawings of the picture that follows, ms. */
const LEAST_MS = 120;

/**
 * @param {HTMLElement} root  has the sentence, the box of the other picture, and the switch between both
 * @param {object} options
 * @param {Beside} options.beside
 * @param {"en" | "zh"} options.lang
 * @param {import("../timeline/layout.js").Words} options.drawing  what a picture says
 * @param {string} options.base  of the site's paths
 * @param {Stage} options.stage  passed in, to load it once
 * @param {typeof import("./backfill.js").backfill} options.backfill  passed in, too
 * @param {{box: HTMLElement, picture: Picture}} options.first  this run's picture
 * @param {(position: number) => void} options.onGo  the reader goes to another position
 * @param {() => void} options.onMore  more of the other run's log has come
 */
export function compare(root, { beside, lang, base, drawing, stage, backfill, first, onGo, onMore }) {
  const { omitted, words } = beside;
  const says = /** @type {HTMLElement} */ (root.querySelector("#compare-says"));
  const go = /** @type {HTMLButtonElement} */ (root.querySelector("#compare-go"));
  const caption = /** @type {HTMLElement} */ (root.querySelector("#beside-caption"));
  const box = /** @type {HTMLElement} */ (root.querySelector("#beside-box"));
  const picture = stage(box, { lang, words: drawing, coarse, paired: true, opensWhole: false, onSelect: select, onArrive: arrived, onSeek: sought });
  /** @type {Event[]} */
  let ours = [];
  /** @type {Event[]} */
  let theirs = [];
  let log = follow(NOTHING, beside.log);
  let alike = 0; // events that both have
  let position = 0; // of this run
  let head = 0; // the other run's playhead
  let opens = true; // no run has been shown yet
  let selected = 0; // in the other picture
  let selectedAt = 0; // the position at which it was
  let shownAt = -LEAST_MS; // ms, when a picture followed
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  let due = showOther; // what is drawn then

  go.addEventListener("click", () => onGo(ours[alike].action));
  const views = linkViews(first, { box, picture });
  switchOf(root);
  const missing = backfill({
    address: () => `${base}${beside.path}/events?lang=${lang}`,
    log: () => log,
    take(stretch) {
      log = follow(log, stretch);
      onMore();
    },
  });

  /** @param {number} seq  0: nothing */
  function select(seq) {
    [selected, selectedAt] = [seq, position];
    picture.select(seq);
    say(caption, seq ? theirs[seq - 1].sentence[lang] : latest());
  }

  /** Returns what the other run's latest action did: its violation, or else its last event. */
  function latest() {
    const last = theirs[head - 1];
    if (!last) return words.begin;
    return (violationAt(theirs, last.action) ?? last).sentence[lang];
  }

  function sentence() {
    const [event, other] = [ours[alike], theirs[alike]];
    if (event && other) {
      return fill(words.part, { here: beside.here, there: beside.there, event: event.sentence[lang], other: other.sentence[lang] });
    }
    if (!event && !other) return words.alike;
    return fill(words.ends, { run: event ? beside.there : beside.here });
  }

  /** Returns the mark of where a run diverges: it says what the sentence says of it. @param {Event[]} events */
  function mark(events) {
    if (alike === ours.length && alike === theirs.length) return null;
    return { seq: alike + 1, says: (events[alike]?.sentence[lang] ?? words.over).replace(/[.。]$/, "") };
  }

  function showThis() {
    first.picture.show(ours, { playhead: playhead(ours, position), diverges: mark(ours) });
  }

  function showOther() {
    picture.show(theirs, { playhead: head, diverges: mark(theirs) });
  }

  /** Draws the picture that the reader does not move: at once, or soon, so that it never delays the other. @param {() => void} draw */
  function soon(draw) {
    due = draw;
    const now = () => {
      clearTimeout(waiting);
      waiting = undefined;
      shownAt = performance.now();
      due();
    };
    const wait = shownAt + LEAST_MS - performance.now();
    if (wait <= 0) now();
    else waiting ??= setTimeout(now, wait);
  }

  /** The reader drags the other picture's playhead: this run's goes along. @param {number} seq @param {boolean} done */
  function sought(seq, done) {
    const to = counterpart(theirs[seq - 1]?.action ?? 0, { here: omitted.there, there: omitted.here });
    if (done) return onGo(to);
    position = to;
    soon(showThis);
  }

  /** The other picture shows the position: its words follow. */
  function arrived() {
    if (selected !== 0 && selectedAt !== position) select(0);
    else if (selected === 0) say(caption, latest());
    views.align();
  }

  /** @param {number} at  the position */
  function follows(at) {
    position = at;
    head = playhead(theirs, counterpart(position, omitted));
    soon(showOther);
  }

  /** Reports whether both go on after their common events. */
  const parted = () => alike < ours.length && alike < theirs.length;

  return {
    /** The other run's log, as far as it has come. */
    get log() {
      return log;
    },
    /** Waits until the other run's whole log has come. */
    whole: missing,
    speed: picture.speed,

    /**
     * Both logs are whole.
     * @param {Event[]} events  this run's
     * @param {number} at  the position
     */
    show(events, at) {
      const others = log.events;
      if (events !== ours || others !== theirs) {
        alike = common(events, others, Math.min(events.length, others.length) < alike ? 0 : alike);
        [ours, theirs] = [events, others];
      }
      const opened = opens;
      opens = false;
      position = at;
      showThis();
      say(says, sentence());
      go.hidden = !parted();
      // It stays in place, also when the reader is there: removing it would lose the focus.
      if (parted() && at === ours[alike].action) go.setAttribute("aria-disabled", "true");
      else go.removeAttribute("aria-disabled");
      follows(at);
      if (opened) views.open();
    },

    /** The reader drags this run's playhead: the other goes along. @param {number} at  the position */
    seek: follows,

    /** This run's picture shows the position. */
    arrive: views.align,
  };
}

/** A stage that is smaller than that shows one picture at a time, rem. A projector always shows both. */
const BOTH = { width: 35, height: 30 };

/** Lets the reader choose the picture that a small stage shows. @param {HTMLElement} root */
function switchOf(root) {
  const stage = /** @type {HTMLElement} */ (root.querySelector("#stage"));
  const shown = /** @type {HTMLElement} */ (root.querySelector("#compare-switch"));
  new ResizeObserver(([{ contentRect: { width, height } }]) => {
    const { dataset: { mode } } = document.documentElement;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    stage.toggleAttribute("data-single", width < BOTH.width * rem || (height < BOTH.height * rem && mode !== "projector"));
  }).observe(stage);
  shown.addEventListener("click", (event) => {
    const chosen = /** @type {Element} */ (event.target).closest("button");
    if (!chosen) return;
    for (const button of shown.children) button.setAttribute("aria-pressed", String(button === chosen));
  });
}

/** @param {string} pattern @param {Record<string, string | number>} values */
const fill = (pattern, values) => pattern.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
