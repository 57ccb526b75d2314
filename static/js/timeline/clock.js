/**
 * The clock of a picture: the one thing that changes a position over time. A position
 * is a real number: 3 is after the third event, and between 3 and 4 the picture shows
 * how the fourth happens. A new target during a motion ends that motion at once, so
 * nobody waits for one.
 */

/** The least part of an event that a motion shows. */
const LEAST = 1e-6;

/** Reports whether the reader wants no movement. */
export const steadily = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** How long a way back takes, however much happened on it, ms. */
const BACK_MS = 150;

/**
 * @param {object} options
 * @param {(seq: number) => number} options.lasts  how long the motion of an event takes, ms
 * @param {(position: number, part: number, ms: number) => void} options.onMove  part: of the way, in time, from 0 to 1; ms: of it
 * @param {(seq: number) => void} options.onArrive
 * @param {() => boolean} [options.steady]  whether the reader wants no movement: then the marks appear one after another
 * @param {(frame: (now: number) => void) => number} [options.ask]  for the next frame
 * @param {(asked: number) => void} [options.cancel]
 */
export function clock({
  lasts, onMove, onArrive,
  steady = steadily,
  ask = (frame) => requestAnimationFrame(frame),
  cancel = (asked) => cancelAnimationFrame(asked),
}) {
  let position = 0;
  let target = 0;
  let speed = 1;
  let [spent, whole] = [0, 0]; // ms of the way at the speed 1
  let asked = 0;
  let last = -1; // time of the last frame; -1: there was none
  /** @type {{seq: number, ms: number}[]} the events of the way, in the order in which it takes them */
  let way = [];
  let back = false;

  const moving = () => way.length > 0;

  /** @param {number} now */
  function frame(now) {
    if (last >= 0) spent += (now - last) * speed;
    last = now;
    if (spent >= whole) return finish();
    const before = position;
    position = placeAt(spent);
    asked = ask(frame);
    if (position !== before || !steady()) onMove(position, spent / whole, spent);
  }

  /** @param {number} ms */
  function placeAt(ms) {
    let rest = ms;
    const { seq, ms: long } = way.find((one) => rest < one.ms || !(rest -= one.ms, true)) ?? way[way.length - 1];
    const part = rest / long;
    if (back) return seq - part;
    // At the event before, its action would seem to be over.
    return steady() ? seq : seq - 1 + Math.max(part, LEAST);
  }

  /** Ends the motion where it leads. */
  function finish() {
    if (!moving()) return;
    cancel(asked);
    way = [];
    position = target;
    onMove(position, 1, whole);
    onArrive(target);
  }

  return {
    moving,
    finish,
    get position() {
      return position;
    },
    get target() {
      return target;
    },

    /** @param {number} factor  2: twice as fast */
    speed(factor) {
      speed = factor;
    },

    /** Is there, without a motion and without a word. @param {number} to  may be between two events */
    jump(to) {
      cancel(asked);
      way = [];
      position = target = to;
    },

    /** Moves to an event, in time. Returns false if that takes none, and it is still where it was. @param {number} to */
    glide(to) {
      finish();
      const from = target;
      back = to < from;
      const all = Array.from({ length: Math.abs(to - from) }, (_, i) => (back ? from - i : from + i + 1)).map((seq) => ({ seq, ms: lasts(seq) }));
      const sum = all.reduce((ms, one) => ms + one.ms, 0);
      const rate = back ? Math.min(1, BACK_MS / sum) : 1;
      if (sum === 0 || (back && steady())) return false;
      way = all.filter(({ ms }) => ms > 0).map(({ seq, ms }) => ({ seq, ms: ms * rate }));
      [spent, whole, last, target] = [0, sum * rate, -1, to];
      asked = ask(frame);
      return true;
    },
  };
}
