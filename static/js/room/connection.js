/**
 * Connects a phone, a remote or the wall to a room, through the socket of the run
 * that the room shows. It follows the room to another run, and knows nothing of the
 * page.
 *
 * @typedef {{version: number, lang: "en" | "zh", base: string, path: string, run: string, at: number}} Begin
 * @typedef {{type: "room", run: string, at: number, gathered: number, driver: number, black: boolean, locked: boolean, over: string, panels: Record<string, string>}} Room
 * @typedef {{type: "seat", seat: number, name: string, lane: string, network: boolean, driving: boolean, vote: number, own: string, lost: string, state: string, may: string, why: string}} Seat
 * @typedef {import("../run/requests.js").About} About
 * @typedef {object} Handlers
 * @property {(panels: Record<string, string>, about?: About, at?: number) => void} onPanels  about: what had asked for them, at which position
 * @property {(room: Room) => void} onRoom
 * @property {(seat: Seat) => void} [onSeat]
 * @property {(left: number | null) => void} [onTimer]  as ./timer.js hears it
 * @property {(text: string, code?: string) => void} onRefusal
 * @property {(connected: boolean, silent?: boolean) => void} onConnection  silent: it was lost some time ago
 * @property {() => void} [onIdle]  each press has its answer
 * @property {(run: string) => void} [onRun]  the room shows another run
 */

import { openSocket } from "../run/socket.js";
import { requests } from "../run/requests.js";

/**
 * @param {Begin} begin
 * @param {string} surface  as web/PROTOCOL.md names them
 * @param {string} lost  why nothing can be asked for without a connection
 * @param {Handlers} on
 */
export function room(begin, surface, lost, on) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  let run = begin.run;
  let actions = 0;
  /** The server has told how far the run is. */
  let greeted = false;
  /** @type {ReturnType<typeof openSocket>} */
  let socket;
  /** @type {ReturnType<typeof requests>} */
  let server;

  function connect() {
    const mine = openSocket(() => `${scheme}//${location.host}${begin.base}${run}/live?surface=${surface}&lang=${begin.lang}`, {
      onMessage: (message) => mine === socket && receive(message),
      onConnection: (connected, silent) => mine === socket && on.onConnection(connected, silent),
    });
    socket = mine;
    greeted = false;
    server = requests({
      ready: () => greeted,
      send: (message) => mine.send(message),
      onLost() {
        on.onRefusal(lost);
        return lost;
      },
      onIdle: on.onIdle,
    });
  }

  /** @param {any} message  of run/socket.js, and those of a room */
  function receive(message) {
    switch (message.type) {
      case "room":
        on.onRoom(message);
        if (message.run && message.run !== run) follow(message.run);
        return;
      case "timer":
        return on.onTimer?.(message.left);
      case "seat":
        return on.onSeat?.(message);
      case "hello":
        actions = message.actions ?? message.lines.length;
        greeted = true;
        on.onPanels(message.panels);
        return server.next();
    }
    const { about } = server.settle(message.id);
    switch (message.type) {
      case "error":
        on.onRefusal(message.text, message.code);
        server.forget(message.text);
        return;
      case "view":
        return on.onPanels(message.panels, about, message.at);
      case "events":
        actions = message.actions;
        on.onPanels(message.panels);
        if (about) on.onRefusal("");
    }
    server.next();
  }

  /** @param {string} to  the path of a run */
  function follow(to) {
    run = to;
    const votes = socket.end();
    connect();
    for (const vote of votes) socket.send(vote); // it is the room's, whatever run the room shows
    on.onRun?.(to);
  }

  connect();
  return {
    /** Reports whether a press has no answer yet. */
    busy: () => server.busy(),
    /** Returns how many actions the run has. */
    actions: () => actions,
    /** Does something in its turn, once it is known how far the run is. @param {() => unknown} act */
    press: (act) => server.press(act),
    /** Does an action, a line of scenario text, in its turn. @param {string} action @param {() => boolean} still  reports whether it still makes sense */
    act: (action, still) => server.press(() => still() && server.ask({ type: "act", at: actions, action }, "action")),
    /** Does the action that the scheduler or the lesson chooses. */
    schedule: () => server.press(() => server.ask({ type: "schedule", at: actions }, "action")),
    /** Asks something of the room. @param {Record<string, string>} fields */
    ask: (fields) => server.ask({ type: "room", with: fields }, "room"),
    /** Asks what the panels show at a position. @param {number} at */
    look: (at) => server.ask({ type: "look", at }, "look"),
  };
}

/** Returns the fields of a form, with those of the pressed button. @param {HTMLFormElement} form @param {HTMLElement | null} button */
export function fieldsOf(form, button) {
  const { back, ...fields } = Object.fromEntries([...new FormData(form, button)].map(([name, value]) => [name, String(value)]));
  return fields;
}
