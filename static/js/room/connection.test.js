import assert from "node:assert/strict";
import test from "node:test";

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
  /** @param {string} url */
  constructor(url) {
    this.url = url;
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

Object.assign(globalThis, {
  WebSocket: Socket,
  location: { protocol: "http:", host: "class.test" },
  addEventListener() {},
  document: { addEventListener() {}, visibilityState: "visible" },
});
// A timer that still waits at the end of a test delays nothing.
const later = globalThis.setTimeout;
globalThis.setTimeout = /** @type {any} */ ((/** @type {() => void} */ act, /** @type {number} */ ms) => later(act, ms).unref());
const { room } = await import("./connection.js");
const { VERSION } = await import("../run/socket.js");

const hello = { type: "hello", version: VERSION, run: "aaaaaaaaaa", epoch: "e", actions: 7, since: 0, panels: { lane: "<p>C2</p>" } };

/** A phone in a room that shows /t/aaaaaaaaaa; `told` has what its page was told. */
function phone() {
  /** @type {any[]} */
  const told = [];
  Socket.all = [];
  const server = room({ version: VERSION, lang: "zh", base: "/tools", path: "/r/482913", run: "/t/aaaaaaaaaa", at: -1 }, "phone", "lost", {
    onPanels: (panels) => told.push(["panels", panels]),
    onRoom: (message) => told.push(["room", message.run]),
    onSeat: (message) => told.push(["seat", message.seat]),
    onRefusal: (text, code) => told.push(["refusal", text, code]),
    onConnection: (connected) => told.push(["connection", connected]),
    onRun: (run) => told.push(["run", run]),
  });
  return { server, told, socket: () => /** @type {Socket} */ (Socket.all.at(-1)) };
}

test("an action acts on what the phone has seen, and the next one on its outcome", () => {
  const { server, socket } = phone();
  assert.equal(socket().url, "ws://class.test/tools/t/aaaaaaaaaa/live?surface=phone&lang=zh&beats");
  socket().tells(hello);
  server.act("step C2", () => true);
  server.act("step C2", () => true);
  assert.deepEqual(socket().sent.map(({ type, at, action }) => [type, at, action]), [["act", 7, "step C2"]]);
  socket().tells({ type: "events", id: socket().sent[0].id, actions: 8, panels: {} });
  assert.deepEqual(socket().sent.map(({ at }) => at), [7, 8]);
});

test("a press waits until the phone knows how far the run is", () => {
  const { server, socket } = phone();
  server.act("step C2", () => true);
  assert.deepEqual(socket().sent, []);
  socket().tells(hello);
  assert.deepEqual(socket().sent.map(({ at }) => at), [7]);
});

test("somebody was faster: the phone is told, and later presses are dropped", () => {
  const { server, socket, told } = phone();
  socket().tells(hello);
  server.act("step C2", () => true);
  server.act("step C2", () => true);
  socket().tells({ type: "events", actions: 8, panels: {} });
  socket().tells({ type: "error", id: socket().sent[0].id, code: "stale", text: "C1 already moved. Showing step 8." });
  assert.deepEqual(told.at(-1), ["refusal", "C1 already moved. Showing step 8.", "stale"]);
  server.act("step C2", () => true);
  assert.deepEqual(socket().sent.map(({ at }) => at), [7, 8]);
});

test("a press that makes no sense any more in its turn is dropped", () => {
  const { server, socket } = phone();
  socket().tells(hello);
  let live = true;
  server.act("crash C2", () => live);
  server.act("crash C2", () => live);
  live = false;
  socket().tells({ type: "events", id: socket().sent[0].id, actions: 8, panels: {} });
  assert.equal(socket().sent.length, 1);
});

test("the room shows another run: the phone follows, and forgets its requests to the first", () => {
  const { server, socket, told } = phone();
  const first = socket();
  first.tells(hello);
  server.act("step C2", () => true);
  first.tells({ type: "room", run: "/t/bbbbbbbbbb", at: -1, gathered: 0, driver: 0, black: false, over: "", panels: {} });
  assert.equal(first.readyState, Socket.CLOSED);
  assert.match(socket().url, /\/t\/bbbbbbbbbb\/live/);
  socket().tells({ ...hello, actions: 3 });
  first.tells({ type: "events", actions: 9, panels: { lane: "<p>of the first</p>" } });
  assert.deepEqual(told.map(([what]) => what), ["connection", "panels", "room", "run", "connection", "panels"]);
  server.act("step C1", () => true);
  assert.deepEqual(socket().sent.map(({ at, action }) => [at, action]), [[3, "step C1"]]);
});

test("a vote on its way comes along to another run, and a press is at rest again", () => {
  const { server, socket } = phone();
  const first = socket();
  first.tells(hello);
  server.ask({ verb: "vote", choice: "1" });
  server.act("step C2", () => true);
  assert.ok(server.busy());
  const [vote] = first.sent;
  first.tells({ type: "room", run: "/t/bbbbbbbbbb", at: -1, gathered: 0, driver: 0, black: false, over: "", panels: {} });
  socket().tells({ ...hello, actions: 3 });
  assert.deepEqual(socket().sent, [vote], "under its id: the room counts it once");
  assert.ok(!server.busy());
});

test("a vote waits for no action", () => {
  const { server, socket } = phone();
  socket().tells(hello);
  server.act("step C2", () => true);
  server.ask({ verb: "vote", choice: "1" });
  assert.deepEqual(socket().sent.map(({ type }) => type), ["act", "room"]);
  assert.deepEqual(socket().sent[1].with, { verb: "vote", choice: "1" });
});
