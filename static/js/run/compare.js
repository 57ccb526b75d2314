/**
 * Compares two runs side by side: the picture of the other run follows the position
 * and the view of this run's, both mark where they diverge, and a sentence says how.
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

/** Between two drawings of the other picture, ms. */
const LEAST_MS = 120;

/**
 * @param {HTMLElement} root  has the sentence, and the box of the other picture
 * @param {object} options
 * @param {Beside} options.beside
 * @param {"en" | "zh"} options.lang
 * @param {import("../timeline/layout.js").Words} options.drawing  what a picture says
 * @param {string} options.base  of the site's paths
 * @param {Stage} options.stage  passed in, to load it once
 * @param {typeof import("./backfill.js").backfill} options.backfill  passed in, too
 * @param {{box: HTMLElement, picture: Picture}} options.first  this run's picture
 * @param {(position: number) => void} options.onGo  the reader wants to see where the runs diverge
 * @param {() => void} options.onMore  more of the other run's log has come
 */
export function compare(root, { beside, lang, base, drawing, stage, backfill, first, onGo, onMore }) {
  const { omitted, words } = beside;
  const says = /** @type {HTMLElement} */ (root.querySelector("#compare-says"));
  const go = /** @type {HTMLButtonElement} */ (root.querySelector("#compare-go"));
  const caption = /** @type {HTMLElement} */ (root.querySelector("#beside-caption"));
  const box = /** @type {HTMLElement} */ (root.querySelector("#beside-box"));
  const picture = stage(box, { lang, words: drawing, below: true, opensWhole: false, onSelect: select, onArrive: arrived });
  /** @type {Event[]} */
  let ours = [];
  /** @type {Event[]} */
  let theirs = [];
  let log = follow(NOTHING, beside.log);
  let alike = 0; // events that both have
  let position = 0; // of this run
  let head = 0; // the other run's playhead
  let selected = 0; // in the other picture
  let selectedAt = 0; // the position at which it was
  let shownAt = -LEAST_MS; // ms
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;

  go.addEventListener("click", () => onGo(ours[alike].action));
  const views = linkViews(first, { box, picture });
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
      return fill(words.part, { n: alike + 1, here: beside.here, there: beside.there, event: event.sentence[lang], other: other.sentence[lang] });
    }
    if (!event && !other) return fill(words.alike, { n: alike });
    return fill(words.ends, { n: alike, run: event ? beside.there : beside.here });
  }

  /** Draws the other picture at the position. While the reader drags the scrubber it follows later, and never delays this run's. */
  function showOther() {
    clearTimeout(waiting);
    waiting = undefined;
    shownAt = performance.now();
    picture.show(theirs, { playhead: head, diverges: parted() ? alike + 1 : 0 });
  }

  /** The other picture shows the position: its words follow. */
  function arrived() {
    if (selected !== 0 && selectedAt !== position) select(0);
    else if (selected === 0) say(caption, latest());
    views.align();
  }

  /** Draws the other picture, at once or soon. */
  function follows() {
    head = playhead(theirs, counterpart(position, omitted));
    const wait = shownAt + LEAST_MS - performance.now();
    if (wait <= 0) showOther();
    else waiting ??= setTimeout(showOther, wait);
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
      position = at;
      first.picture.show(events, { playhead: playhead(events, at), diverges: parted() ? alike + 1 : 0 });
      say(says, sentence());
      go.hidden = !parted();
      // It stays in place, also when the reader is there: removing it would lose the focus.
      if (parted() && at === ours[alike].action) go.setAttribute("aria-disabled", "true");
      else go.removeAttribute("aria-disabled");
      follows();
    },

    /** The reader drags this run's playhead: the other goes along. @param {number} at  the position */
    seek(at) {
      position = at;
      follows();
    },

    /** This run's picture shows the position. */
    arrive: views.align,
  };
}

/** @param {string} pattern @param {Record<string, string | number>} values */
const fill = (pattern, values) => pattern.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
