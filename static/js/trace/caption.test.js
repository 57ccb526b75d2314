import assert from "node:assert/strict";
import test from "node:test";

import { captionOf, causesOf } from "./caption.js";

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
