/**
 * The socket of a surface of a room, other than the page of a run: it is that of
 * the run which the room shows, and moves along when the room shows another one.
 *
 * @typedef {import("./live.js").Message} Message
 * @typedef {{version: number, lang: "en" | "zh", base: string, path: string, run: string, at: number, words: Record<string, string>}} RoomData
 * @typedef {{type: "room", run: string, at: number, gathered: number, driver: number, black: boolean, over: string, panels: Record<string, string>}} RoomMessage
 */

import { live } from "./live.js";

/**
 * @param {string} name  of the surface
 * @param {RoomData} begin
 * @param {object} handlers
 * @param {() => {epoch: string, since: number}} [handlers.has]  what the surface has of the run's events; without it, none
 * @param {(message: Message | RoomMessage) => void} handlers.onMessage
 * @param {() => void} [handlers.onMove]  what comes from now on is about another run
 * @param {(connected: boolean) => void} handlers.onConnection
 */
export function surface(name, { lang, base, run: first }, { has = () => ({ epoch: "", since: 0 }), onMessage, onMove = () => {}, onConnection }) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  let run = first;
  let socket = connect();

  function connect() {
    const mine = run;
    return live(() => {
      const { epoch, since } = has();
      return `${scheme}//${location.host}${base}${mine}/live?${new URLSearchParams({ surface: name, lang, epoch, since: String(since) })}`;
    }, {
      onMessage: (message) => mine === run && receive(message),
      onConnection: (connected) => mine === run && onConnection(connected),
    });
  }

  /** @param {Message | RoomMessage} message */
  function receive(message) {
    if (message.type === "room" && message.run && message.run !== run) {
      const old = socket;
      run = message.run;
      onMove();
      onMessage(message);
      socket = connect();
      old.end();
      return;
    }
    onMessage(message);
  }

  return {
    /** @param {{type: string, id: string} & Record<string, unknown>} request */
    send: (request) => socket.send(request),
  };
}
