import assert from "node:assert/strict";
import { test } from "node:test";

import { race } from "../trace/traces.testdata.js";
import { synthesis } from "./synthesis.js";

/** A loudspeaker that writes down when a tone begins, s, and its pitch, Hz. */
function loudspeaker(state = "running", now = () => 0) {
  /** @type {[number, number][]} */
  const tones = [];
  const parameter = () => ({ setValueAtTime() {}, exponentialRampToValueAtTime() {} });
  const context = {
    state,
    currentTime: 0,
    destination: {},
    resume: () => Promise.resolve(),
    createGain: () => ({ gain: parameter(), connect: () => undefined }),
    createOscillator() {
      let pitch = 0;
      const frequency = { ...parameter(), setValueAtTime: (/** @type {number} */ hz) => (pitch = hz) };
      return { frequency, connect: (/** @type {any} */ next) => next, start: (/** @type {number} */ at) => tones.push([Math.round(at * 1000) / 1000, pitch]), stop() {} };
    },
  };
  return { tones, context, play: synthesis(/** @type {any} */ (context), now) };
}

const { events } = race();
/** @param {string} kind */
const one = (kind) => events.filter((e) => e.kind === kind).slice(0, 1);

test("a delivery is one tone, an entry rises, a violation is a chord", () => {
  for (const [kind, tones] of Object.entries({ deliver: [[0, 880]], enter: [[0, 523], [0.09, 784]], violation: [[0, 196], [0, 277]], send: [] })) {
    const { play, tones: heard } = loudspeaker();
    play(one(kind));
    assert.deepEqual(heard, tones, kind);
  }
});

test("notes of one moment follow each other in order", () => {
  const { play, tones } = loudspeaker();
  play([...one("deliver"), ...one("enter")]);
  assert.deepEqual(tones, [[0, 880], [0.08, 523], [0.17, 784]]);
});

test("twenty presses at once sound as four notes, and later ones are heard again", () => {
  const { play, tones, context } = loudspeaker();
  for (let i = 0; i < 20; i++) play(one("deliver"));
  assert.deepEqual(tones.map(([at]) => at), [0, 0.08, 0.16, 0.24]);
  context.currentTime = 5;
  play(one("deliver"));
  assert.deepEqual(tones.at(-1), [5, 880]);
});

test("the loudspeaker wakes at the first touch of the page; a note that it would sound late is left out", async () => {
  let time = 0;
  const { play, tones } = loudspeaker("suspended", () => time);
  play(one("deliver"));
  await Promise.resolve();
  assert.deepEqual(tones, [[0, 880]]);
  play(one("enter"));
  time += 60_000;
  await Promise.resolve();
  assert.deepEqual(tones, [[0, 880]]);
});
