import assert from "node:assert/strict";
import { test } from "node:test";

import { layout } from "./layout.js";
import { marks } from "./model.js";
import { known, names, resolve } from "./refs.js";
import { approximate } from "./text.js";
import { english } from "./words.testdata.js";
import { race } from "../trace/traces.testdata.js";

const { events, guilty } = race();
const model = marks(events);

/** The keys of the groups that a reference lights. @param {string} ref @param {number} [happened] */
function lit(ref, happened = events.length) {
  const found = resolve(ref, model, happened);
  const plan = layout(model, { words: english, measure: approximate, columnWidth: 48, width: 0 });
  return found && [...plan.groups(-Infinity, Infinity), ...plan.heads(model.state)].filter((g) => names(found, g)).map((g) => g.key);
}

test("a number is the command that Redis executed as that: its way there and back", () => {
  const sent = model.requests.find((q) => q.arrival === guilty);
  for (const key of [`${guilty} arrival`, `${guilty + 1} reply`, `${sent?.seq} flight`, `${sent?.seq} command`, `${guilty} order`]) assert.ok(lit("#8")?.includes(key), key);
  assert.ok(!lit("#8")?.some((key) => key.endsWith(" band")));
  assert.deepEqual(resolve("#8", model, events.length), resolve("C2 DEL", model, events.length));
  assert.equal(resolve("#99", model, events.length), null);
});

test("a command that a client has sent again is its last so far", () => {
  const [first, last] = model.requests.filter((q) => q.call.client === "C1" && q.call.command[0] === "SETNX");
  assert.ok(resolve("C1 SETNX", model, first.arrival)?.seqs.has(first.arrival));
  assert.ok(resolve("C1 SETNX", model, events.length)?.seqs.has(last.arrival));
  assert.equal(resolve("C9 DEL", model, events.length), null);
});

test("a key is the band of its value, a client its lane", () => {
  const [old] = model.bands;
  assert.deepEqual(lit("C3 key"), lit("key", old.seq));
  assert.ok(lit("C3 key")?.every((key) => key.startsWith(`${old.seq} redis lock.foo`)));
  assert.ok(lit("=1011")?.some((key) => key.endsWith(" band")));
  assert.ok(["head C2", "0 C2 life"].some((key) => lit("C2")?.includes(key)));
  assert.ok(!lit("C2")?.includes("head C1"));
  assert.deepEqual(lit("time 1012")?.map((key) => key.split(" ")[1]).sort(), ["tick", "time"]);
  assert.equal(lit("inside")?.filter((key) => key.endsWith(" section")).length, 2);
});

test("words can name what has happened", () => {
  assert.deepEqual(known(model, 0).values, []);
  assert.deepEqual(known(model, events.length), { clients: ["C3", "C1", "C2"], verbs: ["SETNX", "GET", "DEL"], keys: ["lock.foo"], values: ["1011", "1023"], times: ["1012"] });
});
