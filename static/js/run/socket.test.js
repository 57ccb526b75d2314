import assert from "node:assert/strict";
import test, { mock } from "node:test";

/** Sockets that only the test answers. */
class Socket {
  static OPEN = 1;
  static CONNECTING = 0;
  static CLOSED = 3;
  /** @type {Socket[]} */
  static all = [];
  readyState = Socket.CONNECTING;
  /** @type {any[]} */
  sent = [];
  constructor() {
    Socket.all.push(this);
  }
  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = Socket.CLOSED;
  }
  /** @type {(event: {data: string}) => void} */
  onmessage = () => {};
  /** @param {object} message */
  tells(message) {
    this.readyState = Socket.OPEN;
    this.onmessage({ data: JSON.stringify(message) });
  }
}

/** Milliseconds since the test began. */
let now = 0;
Object.assign(globalThis, {
  WebSocket: Socket,
  addEventListener() {},
  document: { addEventListener() {}, visibilityState: "visible" },
  performance: { now: () => now },
});
const { BEAT_MS, SILENCE_MS, VERSION, openSocket, patience } = await import("./socket.js");

/** Lets time pass, in steps in which no timer is late. @param {number} ms */
function pass(ms) {
  for (const end = now + ms; now < end; ) {
    now += 50;
    mock.timers.tick(50);
  }
}

/** @param {import("node:test").TestContext} t */
function opened(t) {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  t.mock.method(Math, "random", () => 0);
  Socket.all = [];
  /** @type {any[]} */
  const told = [];
  const server = openSocket(() => "ws://class.test/t/aaaaaaaaaa/live?lang=en", {
    onMessage: ({ type }) => told.push(type),
    onConnection: (connected, silent = false) => told.push(connected ? "connected" : silent ? "silent" : "lost"),
  });
  const socket = () => /** @type {Socket} */ (Socket.all.at(-1));
  const hello = () => socket().tells({ type: "hello", version: VERSION, run: "aaaaaaaaaa", epoch: "e", actions: 0, panels: {} });
  hello();
  return { server, told, socket, hello };
}

test("a server that owes an answer is lost after 3 s, however often one presses; the request goes out again under its id", (t) => {
  const { server, told, socket, hello } = opened(t);
  const step = { type: "act", at: 0, action: "step C1", id: "me-1" };
  assert.ok(server.send(step));
  for (let i = 0; i < 5; i++) {
    pass(500);
    server.send({ id: `look-${i}` });
  }
  assert.equal(told.at(-1), "hello");
  pass(SILENCE_MS - 2_500);
  assert.equal(told.at(-1), "silent");
  pass(1_000);
  assert.equal(Socket.all.length, 2);
  hello();
  assert.deepEqual(socket().sent[0], step);
  socket().tells({ type: "done", id: "me-1" });
  for (let i = 0; i < 5; i++) socket().tells({ type: "done", id: `look-${i}` });
  socket().tells({ type: "beat" });
  pass(BEAT_MS - 50);
  assert.equal(Socket.all.length, 2);
});

test("without a press a silent server is lost after 9 s; beats keep it, and the page hears none of them", (t) => {
  const { told, socket } = opened(t);
  for (let i = 0; i < 6; i++) {
    pass(5_000);
    socket().tells({ type: "beat" });
  }
  assert.deepEqual(told, ["connected", "hello"]);
  pass(BEAT_MS);
  assert.deepEqual(told, ["connected", "hello", "silent"]);
});

test("a page that slept reads first what came", (t) => {
  const { told, socket } = opened(t);
  now += 60_000; // the timers of a page that sleeps stand still
  mock.timers.tick(BEAT_MS);
  assert.equal(told.at(-1), "hello");
  socket().tells({ type: "beat" });
  pass(BEAT_MS - 50);
  assert.equal(told.at(-1), "hello");
});

test("an attempt to connect ends after 5 s, the next ones later", (t) => {
  const { socket } = opened(t);
  pass(BEAT_MS + 250);
  assert.equal(Socket.all.length, 2);
  pass(patience(1) + 1_000);
  assert.equal(Socket.all.length, 3);
  assert.equal(Socket.all[1]?.readyState, Socket.CLOSED);
  assert.deepEqual([0, 1, 2, 3, 9].map(patience), [5_000, 10_000, 15_000, 20_000, 20_000]);
  assert.equal(socket().readyState, Socket.CONNECTING);
});

test("without a connection a vote waits for the next one, six at most; an action does not", (t) => {
  const { server, told, socket, hello } = opened(t);
  pass(BEAT_MS);
  assert.equal(told.at(-1), "silent");
  assert.ok(!server.send({ id: "me-1" }));
  for (let i = 0; i < 8; i++) {
    const vote = { type: "room", with: { verb: "vote", choice: "1" }, id: `me-${i + 2}` };
    assert.equal(server.send(vote), i < 6);
  }
  pass(500);
  hello();
  assert.deepEqual(socket().sent.map(({ id }) => id), ["me-2", "me-3", "me-4", "me-5", "me-6", "me-7"]);
});
