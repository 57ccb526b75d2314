import assert from "node:assert/strict";
import test from "node:test";

import { requests } from "./requests.js";

/** Requests to a server that hears everything; `sent` is what it has heard. */
function connected() {
  /** @type {any[]} */
  const sent = [];
  const server = requests({ send: (message) => sent.push(message) > 0, onLost: () => "lost" });
  return { sent, server, act: () => void server.ask({ type: "act", at: sent.length }, "action") };
}

test("a press during a request comes after its answer", () => {
  const { sent, server, act } = connected();
  server.press(act);
  server.press(act);
  assert.equal(sent.length, 1);
  server.settle(sent[0].id);
  server.next();
  assert.deepEqual(sent.map((message) => message.at), [0, 1]);
});

test("a request without an answer holds nothing back", () => {
  const { sent, server, act } = connected();
  /** @type {string[]} */
  const gone = [];
  server.press(act);
  server.press(() => void gone.push("to the position before"));
  server.press(() => void gone.push("and before that"));
  server.press(act);
  assert.deepEqual(gone, []);
  server.settle(sent[0].id);
  server.next();
  assert.deepEqual(gone, ["to the position before", "and before that"]);
  assert.equal(sent.length, 2);
});

test("the presses after a refused one are dropped", () => {
  const { sent, server, act } = connected();
  for (const press of [act, act, act]) server.press(press);
  server.settle(sent[0].id);
  server.forget("C1 has crashed.");
  server.next();
  assert.equal(sent.length, 1);
});

test("nothing is done on a page that is being left", () => {
  const { sent, server, act } = connected();
  server.press(act);
  server.press(act);
  server.settle(sent[0].id);
  server.leave();
  server.press(act);
  assert.equal(sent.length, 1);
});

test("without a connection the sender is told, and presses are dropped", async () => {
  const told = requests({ send: () => false, onLost: () => "lost" });
  const outcome = told.outcome((tell) => void told.ask({ type: "act" }, "action", tell));
  assert.deepEqual(await outcome, { ok: false, text: "lost" });
});

test("presses wait until the server has the run, and come in their order", () => {
  /** @type {string[]} */
  const done = [];
  let ready = false;
  let asked = 0;
  const server = requests({
    send: () => true,
    onLost: () => "lost",
    ready() {
      if (!ready) asked++;
      return ready;
    },
  });
  server.press(() => void done.push("first"));
  server.press(() => void done.push("second"));
  assert.deepEqual(done, []);
  assert.equal(asked, 2, "each press asks for the run");
  ready = true;
  server.next();
  assert.deepEqual(done, ["first", "second"]);
});

test("if the run is refused, the presses are dropped, and their senders are told", async () => {
  const server = requests({ send: () => true, onLost: () => "lost", ready: () => false });
  const outcome = server.outcome(() => assert.fail("it is done all the same"));
  server.forget("There are too many runs.");
  assert.deepEqual(await outcome, { ok: false, text: "There are too many runs." });
});
