import assert from "node:assert/strict";
import test from "node:test";

import { brief, captionOf, causesOf } from "./caption.js";

/** @typedef {import("./state.js").Event} Event */

/** @type {(seq: number, action: number, kind: string, violation?: object) => Event} */
const event = (seq, action, kind, violation) => /** @type {Event} */ ({ seq, action, kind, violation, time: 0, sentence: { en: "", zh: "" } });

const deleted = { property: "foreign-delete", clients: ["C2", "C1"], momentary: true, cause: 3 };
const overlap = { property: "overlap", clients: ["C1", "C2"], cause: 3 };
const both = { property: "mutual-exclusion", clients: ["C1", "C2"], cause: 3 };
const log = [
  event(1, 1, "spawn"), event(2, 2, "send"), event(3, 3, "deliver"), event(4, 3, "violation", deleted),
  event(5, 4, "enter"), event(6, 4, "violation", both), event(7, 4, "violation", overlap), event(8, 5, "tick"),
];

/** @param {ReturnType<typeof captionOf>} said */
const seqs = ({ caption, alerts }) => [caption?.seq ?? 0, ...alerts.map((e) => e.seq)];

test("the caption is the latest event, and its violation is an alert", () => {
  assert.deepEqual(seqs(captionOf([], 0, [])), [0]);
  assert.deepEqual(seqs(captionOf(log.slice(0, 2), 2, [])), [2]);
  assert.deepEqual(seqs(captionOf(log.slice(0, 4), 3, [])), [3, 4]);
});

test("a violation that lasts stays an alert, and of two about the same clients the first counts", () => {
  assert.deepEqual(seqs(captionOf(log.slice(0, 7), 4, [overlap, both])), [5, 6]);
  assert.deepEqual(seqs(captionOf(log, 5, [both, overlap])), [8, 6]);
  assert.deepEqual(seqs(captionOf(log, 5, [])), [8]);
});

test("a cause is told once", () => {
  assert.deepEqual(causesOf([log[3], log[5]]), [3]);
  assert.deepEqual(causesOf([event(9, 9, "violation", { property: "stuck", clients: ["C1"], cause: 0 })]), []);
});

test("a brief alert names its cause by its number, if that has one", () => {
  const del = { en: "Redis executes #8, DEL lock.foo from C2: $& is gone.", zh: "Redis 执行了 C2 的 DEL（#8），删掉了 1023。" };
  const inside = { en: `Both are inside. Cause: ${del.en}`, zh: `同时在临界区。原因：${del.zh}` };
  const executed = /** @type {Event} */ (/** @type {unknown} */ ({ ...event(1, 1, "deliver"), execution: { order: 8 }, sentence: del }));
  const violated = { ...event(2, 1, "violation", { property: "overlap", clients: ["C1", "C2"], cause: 1 }), sentence: inside };
  assert.equal(brief(violated, [executed, violated], "en"), "Both are inside. Cause: #8.");
  assert.equal(brief(violated, [executed, violated], "zh"), "同时在临界区。原因：#8。");
  assert.equal(brief(violated, [{ ...executed, execution: undefined }, violated], "en"), inside.en);
  assert.equal(brief({ ...violated, violation: undefined }, [executed], "en"), inside.en);
});
