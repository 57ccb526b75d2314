/**
 * The socket of a run, as web/PROTOCOL.md describes it: connects, connects again
 * when it is lost, and keeps the log of events in step with the server. It knows
 * nothing of the page.
 *
 * @typedef {import("./store.js").Event} Event
 * @typedef {{type: "hello", version: number, run: string, actions: number, events: Event[], panels: Record<string, string>}} Hello
 * @typedef {{type: "events", id?: string, actions: number, events: Event[], panels: Record<string, string>}} Events
 * @typedef {{type: "rewind", id?: string, actions: number, events: number, panels: Record<string, string>}} Rewind
 * @typedef {{type: "error", id?: string, code: string, text: string, line?: number, column?: number}} Refusal
 * @typedef {Hello | Events | Rewind | Refusal} Message
 * @typedef {{actions: number, events: Event[]}} Log
 */

export const VERSION = 1;

const FIRST_MS = 250;
const LONGEST_MS = 10_000;

/**
 * The log after a message of the server. The given log is left as it was.
 * @param {Log} log
 * @param {Message} message
 * @returns {Log}
 */
export function follow(log, message) {
  switch (message.type) {
    case "hello":
      return { actions: message.actions, events: message.events };
    case "events":
      return { actions: message.actions, events: [...log.events, ...message.events] };
    case "rewind":
      return { actions: message.actions, events: log.events.slice(0, message.events) };
    default:
      return log;
  }
}

/**
 * How long to wait before trying again: longer each time, and not all viewers
 * at once when a server comes back.
 * @param {number} attempt  0, 1, 2 …
 * @param {number} random  from 0 up to 1
 */
export function backOff(attempt, random) {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  return longest / 2 + (longest / 2) * random;
}

/**
 * @param {string} url
 * @param {{onMessage: (message: Message) => void, onConnection: (connected: boolean) => void}} handlers
 */
export function live(url, { onMessage, onConnection }) {
  /** @type {WebSocket} */
  let socket;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  let attempt = 0;

  function connect() {
    clearTimeout(waiting);
    waiting = undefined;
    socket = new WebSocket(url);
    socket.onmessage = ({ data }) => {
      /** @type {Message} */
      const message = JSON.parse(data);
      if (message.type === "hello") {
        if (message.version !== VERSION) return location.reload(); // the server is newer than this page
        attempt = 0;
        onConnection(true);
      }
      onMessage(message);
    };
    socket.onclose = () => {
      onConnection(false);
      waiting = setTimeout(connect, backOff(attempt++, Math.random()));
    };
  }

  // Back from sleep or with a network again: not a moment to wait.
  function hurry() {
    if (waiting !== undefined && document.visibilityState === "visible") connect();
  }
  addEventListener("online", hurry);
  addEventListener("pageshow", hurry);
  document.addEventListener("visibilitychange", hurry);
  connect();

  return {
    /**
     * @param {object} message
     * @returns {boolean} whether it has been sent
     */
    send(message) {
      if (socket.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
  };
}
