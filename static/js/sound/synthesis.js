/**
 * Makes the notes: short and quiet, from oscillators alone, and so unlike that they are
 * told apart without a look.
 *
 * @typedef {import("./notes.js").Note} Note
 * @typedef {{wave: OscillatorType, from: number, to: number, after: number, lasts: number, loud: number}} Tone  from and to in Hz, after and lasts in s
 */

import { notes } from "./notes.js";

/** @type {Record<Note, Tone[]>} */
const SCORE = {
  // A drop that lands.
  deliver: [{ wave: "sine", from: 880, to: 440, after: 0, lasts: 0.09, loud: 0.12 }],
  // Two dull knocks.
  refuse: [
    { wave: "triangle", from: 165, to: 150, after: 0, lasts: 0.07, loud: 0.16 },
    { wave: "triangle", from: 165, to: 150, after: 0.09, lasts: 0.09, loud: 0.16 },
  ],
  // A fifth upwards.
  enter: [
    { wave: "sine", from: 523, to: 523, after: 0, lasts: 0.12, loud: 0.1 },
    { wave: "sine", from: 784, to: 784, after: 0.09, lasts: 0.22, loud: 0.1 },
  ],
  // A tritone that sinks.
  violation: [
    { wave: "sawtooth", from: 196, to: 165, after: 0, lasts: 0.5, loud: 0.05 },
    { wave: "sawtooth", from: 277, to: 233, after: 0, lasts: 0.5, loud: 0.05 },
  ],
};

/** Between the beginnings of two notes, s: however fast events come, that many sound. */
const APART = 0.08;

/** Notes that wait for their turn; later ones are left out, and sound ends with the motion. */
const AHEAD = 4;

/** A note that sounds later than this long after its event is left out, ms. */
const LATE = 250;

/**
 * @param {AudioContext} context
 * @param {() => number} now  ms
 * @returns {(events: import("../trace/state.js").Event[]) => void} plays the notes of events, one after another
 */
export function synthesis(context, now = () => performance.now()) {
  let free = 0; // when the next note may begin, s

  /** @param {import("../trace/state.js").Event[]} events */
  function play(events) {
    for (const note of notes(events)) {
      const at = Math.max(free, context.currentTime);
      if (at >= context.currentTime + AHEAD * APART) return;
      free = at + APART;
      for (const tone of SCORE[note]) sound(context, tone, at);
    }
  }

  return (events) => {
    if (context.state === "running") return play(events);
    // A browser keeps quiet until the reader has touched the page, and then needs a moment.
    const asked = now();
    void context.resume().then(() => now() - asked < LATE && play(events));
  };
}

/** @param {AudioContext} context @param {Tone} tone @param {number} at */
function sound(context, { wave, from, to, after, lasts, loud }, at) {
  const [begin, end] = [at + after, at + after + lasts];
  const oscillator = context.createOscillator();
  const volume = context.createGain();
  oscillator.type = wave;
  oscillator.frequency.setValueAtTime(from, begin);
  oscillator.frequency.exponentialRampToValueAtTime(to, end);
  // A tone that begins or ends at full volume clicks.
  volume.gain.setValueAtTime(0.0001, begin);
  volume.gain.exponentialRampToValueAtTime(loud, begin + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, end);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(begin);
  oscillator.stop(end);
}
