import assert from "node:assert/strict";
import { test } from "node:test";

import { loadDown } from "./downwards.js";
import { layout } from "./layout.js";
import { marks } from "./model.js";
import { approximate } from "./text.js";
import { english } from "./words.testdata.js";
import { ARRIVALS, fold } from "../trace/state.js";
import { crowd, fenced, orphan, pause, race, updates } from "../trace/traces.testdata.js";

await loadDown();

/**
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {import("./shapes.js").Shape} Shape
 */

const logs = { race: race().events, pause: pause(), orphan: orphan(), fenced: fenced(), updates: updates(), crowd: crowd(6) };

/** @param {Event[]} log @param {object} [options] */
const planOf = (log, options = {}) => layout(marks(log), { words: english, measure: approximate, columnWidth: 48, width: 900, height: 600, ...options });

/** The events with which an action ends. @param {Event[]} log */
const ends = (log) => log.filter((event, i) => log[i + 1]?.action !== event.action).map((event) => event.seq);

/** @param {Event[]} log @param {number} position @param {object} [options] */
function motionAt(log, position, options) {
  return planOf(log, options).motion(fold(log.slice(0, Math.floor(position))), position);
}

/** What moves, by the class of its shapes. @param {Event[]} log @param {number} position */
const moving = (log, position) => motionAt(log, position).groups.flatMap((g) => g.shapes);

/** @param {Shape[]} shapes @param {string} name @returns {any} */
const named = (shapes, name) => shapes.find((s) => s.class.split(" ").includes(name));

/** The part of an event's time at which that many ms of it are over. @param {Event[]} log @param {number} seq @param {number} ms */
const after = (log, seq, ms) => seq - 1 + ms / (planOf(log).lasts(seq));

for (const [name, log, way] of Object.entries(logs).flatMap(([name, log]) => [{ axis: "x" }, { axis: "y", width: 390 }].map((way) => /** @type {const} */ ([`${name}, along ${way.axis}`, log, way])))) {
  test(`${name}: the playhead goes on and on, and a place on its way leads back to the position`, () => {
    const plan = planOf(log, way);
    let last = 0;
    for (let position = 0; position <= log.length; position += 0.125) {
      const px = plan.after(position);
      assert.ok(px >= last, `at ${position} it goes back from ${last} to ${px}`);
      assert.ok(Math.abs(plan.after(plan.at(px)) - px) < 0.5, `at ${position}`);
      last = px;
    }
  });

  test(`${name}: nothing is left over where an action is over`, () => {
    for (const seq of [0, ...ends(log)]) {
      assert.deepEqual(motionAt(log, seq, way), { groups: [], carried: new Set(), shown: 0 }, `after event ${seq}`);
      assert.deepEqual(motionAt(log.slice(0, seq), seq, way).groups, [], `at the tip, after event ${seq}`);
    }
  });

  test(`${name}: any position can be drawn, and the same position is the same picture`, () => {
    for (const tokens of [true, false]) {
      for (let position = 0.05; position < log.length; position += 0.15) {
        const motion = motionAt(log, position, { ...way, tokens });
        assert.deepEqual(motion, motionAt(log, position, { ...way, tokens }));
        const keys = motion.groups.map((g) => g.key);
        assert.equal(new Set(keys).size, keys.length, `at ${position}: two groups have one key of ${keys}`);
        for (const shape of motion.groups.flatMap((g) => g.shapes)) {
          for (const value of Object.values(shape)) {
            assert.ok(typeof value !== "number" || Number.isFinite(value), `at ${position}: ${JSON.stringify(shape)}`);
            assert.ok(typeof value !== "string" || !/NaN|undefined/.test(value), `at ${position}: ${JSON.stringify(shape)}`);
          }
          if (shape.kind === "rect") assert.ok(shape.width >= 0 && shape.height >= 0, `at ${position}: ${JSON.stringify(shape)}`);
        }
      }
    }
  });

  test(`${name}: what a motion carries waits nowhere else`, () => {
    const plan = planOf(log, { ...way, tokens: true });
    for (let position = 0.05; position < log.length; position += 0.15) {
      const state = fold(log.slice(0, Math.floor(position)));
      const motion = plan.motion(state, position);
      const waiting = plan.waiting(state, position, motion.carried);
      for (const { token } of waiting) assert.ok(!token?.call || !motion.carried.has(token.call), `at ${position}`);
    }
  });
}

test("where time runs down, everything moves that moves on a desk", () => {
  const { events } = race();
  const seen = new Set(events.flatMap((_, i) => [0.2, 0.5, 0.9].flatMap((part) => motionAt(events, i + part, { axis: "y", width: 390 }).groups.map(({ key }) => key.replace(/^\d+ /, "")))));
  for (const what of ["shaft", "flying", "pulse", "rising", "born", "lit", "runs", "snapped", "runs back", "redis lock.foo grows", "redis lock.foo torn"]) assert.ok(seen.has(what), what);
});

test("a command glides from its client's lane to Redis, and its arrow reaches to it", () => {
  const { events } = race();
  const deliver = events.find((e) => e.kind === "deliver")?.seq ?? 0;
  const plan = planOf(events);
  const [client, redis] = ["C3", "redis"].map((name) => plan.lanes().find((lane) => lane.name === name)?.at ?? 0);
  let last = client - 1000;
  for (const ms of [1, 50, 100, 150, 200, 249]) {
    const shapes = moving(events, after(events, deliver, ms));
    const pill = named(shapes, "pill");
    const y = pill.y + pill.height / 2;
    const [, tip] = /L\S+ (\S+)$/.exec(named(shapes, "request-arrow").d) ?? [];
    assert.ok(y > last && y <= redis, `after ${ms} ms it is at ${y}`);
    assert.ok(Math.abs(Number(tip) - y) < 24, `after ${ms} ms the arrow ends at ${tip}`);
    last = y;
  }
});

test("each request to the storage glides there, whatever it asks for", () => {
  const logs = [fenced(), updates()];
  const seen = logs.flatMap((log) => log.filter((event) => ARRIVALS.has(event.kind)).map((event) => {
    assert.equal(planOf(log).lasts(event.seq), 400, event.kind);
    assert.ok(named(moving(log, after(log, event.seq, 100)), "pill"), `${event.kind} at ${event.seq}`);
    return event.kind;
  }));
  assert.deepEqual(new Set(seen), ARRIVALS);
});

test("Redis pulses and tears the band off when the DEL has arrived, and not before", () => {
  const { events, guilty } = race();
  assert.equal(named(moving(events, after(events, guilty, 200)), "pulse"), undefined);
  const shapes = moving(events, after(events, guilty, 350));
  assert.ok(named(shapes, "pulse").r > 7);
  assert.ok(named(shapes, "band"));
});

test("a reply rises with its value", () => {
  const { events } = race();
  const receive = events.find((e) => e.kind === "receive" && e.execution?.reply.text === '"1011"')?.seq ?? 0;
  const shapes = moving(events, receive - 0.5);
  assert.equal(named(shapes, "pill-word").text, "1011");
});

test("at a violation everything holds, then the bars turn, then the arrow runs backwards to the guilty command", () => {
  const { events, guilty } = race();
  const seq = events.findLast((e) => e.violation?.property === "mutual-exclusion")?.seq ?? 0;
  const plan = planOf(events);
  assert.equal(plan.lasts(seq), 900);
  for (const [ms, shown, runs] of /** @type {const} */ ([[399, 0, false], [500, 0.5, false], [700, 1, true], [890, 1, true]])) {
    const motion = motionAt(events, after(events, seq, ms));
    assert.ok(Math.abs(motion.shown - shown) < 0.01, `after ${ms} ms ${motion.shown}`);
    assert.equal(Boolean(named(motion.groups.flatMap((g) => g.shapes), "running-back")), runs, `after ${ms} ms`);
  }
  const arc = named(moving(events, after(events, seq, 890)), "running-back").d;
  const [, start, end] = /^M(\S+) .* (\S+) \S+$/.exec(arc) ?? [];
  assert.ok(Number(start) > Number(end), "from the right to the left");
  assert.ok(Math.abs(Number(end) - plan.place(guilty)) < 1, "to the guilty command");
});

test("seconds run while time passes, and leases drain", () => {
  const log = pause();
  const tick = log.find((e) => e.kind === "tick")?.seq ?? 0;
  const [early, late] = [0.2, 0.8].map((part) => moving(log, tick - 1 + part));
  assert.ok(Number(named(early, "running").text) < Number(named(late, "running").text));
  assert.ok(named(early, "lease").width > 0);
  assert.equal(named(late, "lease"), undefined, "ten seconds are over");
});
