import assert from "node:assert/strict";
import test from "node:test";

import { votes } from "./own.js";

const ann = { type: /** @type {const} */ ("seat"), seat: 1, name: "1 · Quiet Otter", lane: "C2", network: false, driving: false, vote: -1, own: "", lost: "", state: "", may: "", why: "" };

test("everybody predicts; participants without a client are the network", () => {
  assert.ok(votes(ann, false));
  assert.ok(!votes(ann, true));
  assert.ok(votes({ ...ann, lane: "", network: true }, true));
  assert.ok(votes({ ...ann, lane: "" }, true), "where phones are no clients, everybody is the network");
});

test("without a seat there is no vote", () => {
  assert.ok(!votes({ ...ann, seat: 0, lane: "" }, false));
  assert.ok(!votes({ ...ann, seat: 0, lane: "" }, true));
});
