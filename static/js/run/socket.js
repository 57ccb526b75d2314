/**
 * The socket of a run, as web/PROTOCOL.md describes it. It reconnects when it is
 * lost, and sends unanswered requests again. It knows nothing of the page.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {{epoch?: string, actions: number, total?: number, header?: string, after?: number, lines?: string[], since?: number, events?: Event[]}} Stretch  of a run's log, after so many actions and events
 * @typedef {Stretch & {type: "hello", version: number, run: string, epoch: string, panels: Record<string, string>}} Hello
 * @typedef {Stretch & {type: "events", id?: string, panels: Record<string, string>}} Events
 * @typedef {{type: "view", id?: string, at: number, panels: Record<string, string>}} View
 * @typedef {{type: "opened", id?: string, run: string, at: number, omitted: number}} Opened
 * @typedef {{type: "done", id?: string}} Done
 * @typedef {{type: "error", id?: string, code: string, text: string, line?: number, column?: number}} Refusal
 * @typedef {{type: "room", id?: string, run: string, at: number, gathered: number, driver: number, black: boolean, locked: boolean, over: string, panels: Record<string, string>}} Room
 * @typedef {{type: "seat", id?: string, seat: number, name: string, lane: string, driving: boolean, vote: number, own: string, lost: string, state: string, may: string, why: string}} Seat
 * @typedef {Hello | Events | View | Opened | Done | Refusal | Room | Seat} Message
 */

import { panelReader } from "./change.js";

export const VERSION = 4;

const FIRST_MS = 250;
const LONGEST_MS = 10_000;

/** Silence after which a server that owes an answer counts as gone, ms. */
const SILENCE_MS = 4_000;

/**
 * Returns how long to wait before the next attempt, ms: longer each time, and
 * jittered, because all viewers reconnect when a server comes back.
 * @param {number} attempt  0, 1, 2 …
 * @param {number} random  from 0 up to 1
 */
export function backOff(attempt, random) {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  return longest / 2 + (longest / 2) * random;
}

/**
 * @param {() => string} url  called at each attempt: it names what the page has
 * @param {{onMessage: (message: Message) => void, onConnection: (connected: boolean) => void}} handlers
 */
export function openSocket(url, { onMessage, onConnection }) {
  /** @type {WebSocket} */
  let socket;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let silence;
  let attempt = 0;
  let ended = false;
  /** @type {Map<string, object>} requests without an answer, in order */
  const owed = new Map();

  function connect() {
    clearTimeout(waiting);
    waiting = undefined;
    const mine = (socket = new WebSocket(url()));
    const read = panelReader();
    mine.onmessage = ({ data }) => {
      if (mine !== socket) return;
      /** @type {Message} */
      const message = JSON.parse(data);
      if ("panels" in message) message.panels = read(message);
      if (message.type === "hello") {
        if (message.version !== VERSION) return location.reload(); // the server is newer than this page
        attempt = 0;
        onConnection(true);
      } else if (message.id) owed.delete(message.id);
      listen();
      // Unanswered requests are sent again; the server does nothing twice.
      const again = message.type === "hello" ? [...owed.values()] : [];
      onMessage(message);
      for (const request of again) post(request);
    };
    mine.onclose = () => {
      if (mine === socket) lost();
    };
  }

  function lost() {
    clearTimeout(silence);
    if (ended) return;
    onConnection(false);
    clearTimeout(waiting);
    waiting = setTimeout(connect, backOff(attempt++, Math.random()));
  }

  /** Drops a silent server that owes an answer. */
  function listen() {
    clearTimeout(silence);
    if (owed.size > 0) silence = setTimeout(drop, SILENCE_MS);
  }

  /** Treats the socket as closed at once: closing takes as long as the network is silent. */
  function drop() {
    const old = socket;
    socket = /** @type {WebSocket} */ ({ readyState: WebSocket.CLOSED });
    old.close();
    lost();
  }

  /** @param {object} request */
  function post(request) {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request));
  }

  // Reconnects at once after sleep, or with a network again.
  function hurry() {
    if (waiting !== undefined && document.visibilityState === "visible") connect();
  }
  addEventListener("online", hurry);
  addEventListener("pageshow", hurry);
  document.addEventListener("visibilitychange", hurry);
  connect();

  return {
    /**
     * @param {{id?: string}} request  without an id it has no answer
     * @returns {boolean} whether it is on its way; otherwise it is dropped
     */
    send(request) {
      // The first connection is on its way: requests wait for it.
      const opening = socket.readyState === WebSocket.CONNECTING && attempt === 0;
      if (socket.readyState !== WebSocket.OPEN && !opening) return false;
      if (request.id) owed.set(request.id, request);
      post(request);
      listen();
      return true;
    },
    /** Closes it for good: the server's news is no longer about this page. */
    end() {
      ended = true;
      owed.clear();
      drop();
    },
  };
}
