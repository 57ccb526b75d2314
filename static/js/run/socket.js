/**
 * The socket of a run, as web/PROTOCOL.md describes it. It reconnects when it is
 * lost or silent, and sends unanswered requests again. It knows nothing of the page.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {{epoch?: string, actions: number, total?: number, header?: string, after?: number, lines?: string[], since?: number, events?: Event[]}} Stretch  of a run's log, after that many actions and events
 * @typedef {Stretch & {type: "hello", version: number, run: string, epoch: string, panels: Record<string, string>}} Hello
 * @typedef {Stretch & {type: "events", id?: string, panels: Record<string, string>}} Events
 * @typedef {{type: "view", id?: string, at: number, panels: Record<string, string>}} View
 * @typedef {{type: "opened", id?: string, run: string, at: number, omitted: number}} Opened
 * @typedef {{type: "done", id?: string}} Done
 * @typedef {{type: "beat", id?: string}} Beat  the page hears nothing of it
 * @typedef {{type: "gone", id?: string}} Gone  the room was forgotten, with its runs
 * @typedef {{type: "error", id?: string, code: string, text: string, line?: number, column?: number}} Refusal
 * @typedef {{type: "room", id?: string, run: string, at: number, gathered: number, driver: number, black: boolean, locked: boolean, over: string, panels: Record<string, string>}} Room
 * @typedef {{type: "seat", id?: string, seat: number, name: string, lane: string, driving: boolean, vote: number, own: string, lost: string, state: string, may: string, why: string}} Seat
 * @typedef {{type: "timer", id?: string, left: number | null}} Timer
 * @typedef {Hello | Events | View | Opened | Done | Refusal | Room | Seat | Timer} Message
 */

import { panelReader } from "./change.js";

export const VERSION = 4;

const FIRST_MS = 250;
const LONGEST_MS = 10_000;

/** Silence after which a server that owes an answer counts as gone, ms. */
export const SILENCE_MS = 3_000;

/** Silence after which any server counts as gone, ms. It sends a beat every 5 s. */
export const BEAT_MS = 9_000;

/** A timer that is so late, ms, was held up: the page slept, and has not read yet what came. */
const HELD_MS = 1_000;

/** Most votes that wait for a connection: a seat casts no more of them in a round. */
const MOST_VOTES = 6;

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
 * Returns how long an attempt may take, ms: longer each time, because a slow network needs it.
 * @param {number} attempt  0, 1, 2 …
 */
export const patience = (attempt) => Math.min(20_000, 5_000 * (attempt + 1));

/** Reports whether a request waits for the next connection if there is none. A vote counts whenever it comes; an action was meant for the run as it was. @param {any} request */
const waits = (request) => request.type === "room" && request.with?.verb === "vote";

/**
 * @param {() => string} url  called at each attempt: it names what the page has
 * @param {{onMessage: (message: Message) => void, onConnection: (connected: boolean, silent?: boolean) => void}} handlers  silent: it was lost some time ago
 */
export function openSocket(url, { onMessage, onConnection }) {
  /** @type {WebSocket} */
  let socket;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let silence;
  /** When the server counts as gone. */
  let until = 0;
  let attempt = 0;
  let ended = false;
  /** @type {Map<string, object>} requests without an answer, in order */
  const owed = new Map();

  function connect() {
    clearTimeout(waiting);
    waiting = undefined;
    const mine = (socket = new WebSocket(`${url()}&beats`));
    const read = panelReader();
    listen(patience(attempt));
    mine.onmessage = ({ data }) => {
      if (mine !== socket) return;
      /** @type {Message | Beat | Gone} */
      const message = JSON.parse(data);
      if ("panels" in message) message.panels = read(message);
      if (message.type === "hello") {
        if (message.version !== VERSION) return location.reload(); // the server is newer than this page
        attempt = 0;
        onConnection(true);
      } else if (message.id) owed.delete(message.id);
      listen(owed.size > 0 ? SILENCE_MS : BEAT_MS);
      if (message.type === "beat") return;
      if (message.type === "gone") return gone();
      // Unanswered requests are sent again; the server does nothing twice.
      const again = message.type === "hello" ? [...owed.values()] : [];
      onMessage(message);
      for (const request of again) post(request);
    };
    mine.onclose = () => {
      if (mine === socket) lost();
    };
  }

  /** @param {boolean} [silent] */
  function lost(silent) {
    clearTimeout(silence);
    if (ended) return;
    onConnection(false, silent);
    clearTimeout(waiting);
    waiting = setTimeout(connect, backOff(attempt++, Math.random()));
  }

  /** Loads the page again, which says that the room is gone. A class does so one after the other, and a form that led there comes first. */
  function gone() {
    ended = true;
    clearTimeout(silence);
    setTimeout(() => location.reload(), 300 + 700 * Math.random());
  }

  /** Drops a server that stays silent for this long. @param {number} ms */
  function listen(ms) {
    clearTimeout(silence);
    until = performance.now() + ms;
    silence = setTimeout(() => (performance.now() > until + HELD_MS ? listen(SILENCE_MS) : drop(true)), ms);
  }

  /** Treats the socket as closed at once: closing takes as long as the network is silent. @param {boolean} [silent] */
  function drop(silent) {
    const old = socket;
    socket = /** @type {WebSocket} */ ({ readyState: WebSocket.CLOSED });
    old.close();
    lost(silent);
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
  addEventListener("offline", () => socket.readyState === WebSocket.OPEN && drop(true));
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
      const open = socket.readyState === WebSocket.OPEN;
      if (!open && !opening && !(waits(request) && [...owed.values()].filter(waits).length < MOST_VOTES)) return false;
      if (request.id) owed.set(request.id, request);
      post(request);
      if (open && performance.now() + SILENCE_MS < until) listen(SILENCE_MS); // further presses prolong nothing
      return true;
    },
    /** Closes it for good: the server's news is no longer about this page. Returns the votes without an answer. */
    end() {
      ended = true;
      const votes = [...owed.values()].filter(waits);
      owed.clear();
      drop();
      return votes;
    },
  };
}
