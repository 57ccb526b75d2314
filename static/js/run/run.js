/**
 * The run of a page: its log, the position that the page shows, and what the
 * server is asked. The page makes one, and hands it to each of its modules; they
 * hear of the run by its events. Nothing here knows the page. A position counts
 * the actions that have been done.
 *
 * @typedef {import("./requests.js").Answer} Answer
 * @typedef {import("./requests.js").Told} Told
 * @typedef {import("./requests.js").About} About
 * @typedef {import("./socket.js").Hello} Hello
 * @typedef {import("./socket.js").Message} Message
 * @typedef {import("./socket.js").Stretch} Stretch
 * @typedef {import("../trace/log.js").Log} Log
 * @typedef {import("../trace/log.js").Panels} Panels
 * @typedef {{random: boolean, seed: number}} Scheduler
 *
 * @typedef {object} Events
 * @property {() => void} show  the log or the position is another one
 * @property {() => void} move  the position is another one
 * @property {() => void} view  the panels of a position have come
 * @property {(panels: Panels) => void} panels  these are true at every position
 * @property {() => boolean | void} advance  a step is about to be taken; false prevents it
 * @property {() => void} stop  playing ends
 * @property {(sentence: string) => void} refuse  why a request was refused; empty: it was not
 * @property {(sentence: string) => void} withdraw  that refusal is out of date
 * @property {(refusal: import("./socket.js").Refusal, about: About | undefined, told: boolean) => void} error  told: the sender says so
 * @property {(connected: boolean) => void} connection
 * @property {() => void} idle  each press has its answer
 * @property {(message: Message) => void} room  a hello, or news of the room, its timer or the reader's seat
 * @property {(branch: import("./socket.js").Opened) => void} branch  the run goes on as another one
 * @property {() => void} made  the server has the run of a draft now
 * @property {() => void} reload  the page is about another run by now
 */

import { emitter } from "../lib/emitter.js";
import { named } from "../lib/framed.js";
import { NOTHING, album, ended, follow, forgotten, known, reaches, scenario, written } from "../trace/log.js";
import { violationAt } from "../trace/violations.js";
import { backfill } from "./backfill.js";
import { requests } from "./requests.js";
import { openSocket } from "./socket.js";

/** @typedef {ReturnType<typeof run>} Run */

/** Least time between two requests for panels, ms: while the reader drags the scrubber they follow later. */
const BETWEEN_LOOKS = 100;

/**
 * A draft is a run in which nobody has acted: only its page has it. It has no socket. Its first request makes the run:
 * the page opens the socket, and gives the server the run as it gives back one that the server has lost.
 *
 * @param {{lang: "en" | "zh", base: string, run: string, path: string, step: number, log: Stretch, words: Record<string, string>, task?: string, draft?: string}} begin
 * @param {object} options
 * @param {string} options.lost  why nothing can be asked for without a connection
 * @param {() => Scheduler} options.scheduler  chooses the next action
 */
export function run(begin, { lost, scheduler }) {
  const { lang, base, words } = begin;
  const address = `${base}${begin.path}`;
  /** @type {ReturnType<typeof emitter<Events>>} */
  const { on, emit } = emitter();

  let log = follow(NOTHING, begin.log);
  /** The log of a server that has restarted, until enough of it has come to compare. @type {Log | undefined} */
  let restarted;
  let position = begin.step;
  let draft = begin.draft !== undefined;
  const seen = album();
  if (draft) seen.add(position, {}); // the page has the panels of its position

  let looked = -BETWEEN_LOOKS;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;

  const missing = backfill({ address: () => named(`${address}/events?lang=${lang}${draft ? `&${begin.draft}` : ""}`), log: () => restarted ?? log, take });
  const server = requests({
    send: (message) => socket !== undefined && socket.send(message),
    ready() {
      if (draft) make();
      return !draft;
    },
    onLost(told) {
      if (!told) emit("refuse", lost);
      return lost;
    },
    onIdle: () => emit("idle"),
  });
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const connect = () => openSocket(() => named(`${scheme}//${location.host}${address}/live?lang=${lang}&${known(log)}`), {
    onMessage: receive,
    onConnection(connected) {
      emit("connection", connected);
      if (!connected && position === tip()) emit("stop"); // the past needs no server
    },
  });
  let socket = draft ? undefined : connect();
  /** The server has said that it does not have the run. */
  let missed = false;

  /** Makes the run of a draft. A server that has refused it is asked again. */
  function make() {
    if (!socket) void missing().then(() => (socket ??= connect()));
    else if (missed) restore();
  }

  /** Gives the server the run, once at a time. */
  function restore() {
    if (!server.awaits("restore")) server.ask({ type: "restore", scenario: scenario(log), task: begin.task }, "restore");
  }

  const tip = () => log.actions;

  /** @param {number} to */
  function goTo(to) {
    const from = position;
    position = Math.max(0, Math.min(to, tip()));
    emit("show");
    if (position !== from) emit("move");
  }

  /** Does one action more; false: it cannot, or there is something to look at. @param {Scheduler} choice */
  function advance(choice) {
    if (!emit("advance")) return false;
    if (position < tip()) {
      goTo(position + 1);
      return !violationAt(log.events, position);
    }
    if (server.awaits("action")) return true; // the beat is faster than the answers
    if (draft) {
      make();
      return true; // and faster than the making of the run
    }
    return server.ask({ type: "schedule", at: position, ...choice }, "action");
  }

  /** Asks for an action; one in the past begins a branch. @param {string} action @param {Record<string, string>} [fields] @param {Told} [told] */
  function act(action, fields, told) {
    return server.ask({ type: position < tip() ? "branch" : "act", at: position, action, with: fields }, "action", told);
  }

  /** Asks what the panels show here: one request at a time, and the last position counts. */
  function look() {
    clearTimeout(soon);
    if (seen.at(position) || server.awaits("look")) return;
    if (draft) return make();
    const early = looked + BETWEEN_LOOKS - performance.now();
    if (early > 0) {
      soon = setTimeout(look, early);
      return;
    }
    looked = performance.now();
    server.ask({ type: "look", at: position }, "look");
  }

  /** @param {Message} message */
  function receive(message) {
    if (message.type === "hello" || message.type === "room" || message.type === "seat" || message.type === "timer") {
      if (message.type === "hello") greeted(message);
      if (message.type === "room") emit("panels", message.panels);
      emit("room", message);
      return;
    }
    const { about, told } = server.settle(message.id);
    switch (message.type) {
      case "error":
        if (about === "look") return;
        if (about === "room") return told ? told({ ok: false, text: message.text }) : void emit("refuse", message.text);
        emit("stop");
        emit("error", message, about, told !== undefined);
        server.forget(message.text);
        return;
      case "view":
        seen.add(message.at, message.panels);
        emit("view");
        return;
      case "opened":
        told?.({ ok: true });
        return open(message);
      case "done":
        if (about === "room" && !told) emit("refuse", "");
        told?.({ ok: true });
        return server.next();
    }
    if (restarted) {
      restarted = follow(restarted, message);
      return;
    }
    const before = tip();
    const following = position === before;
    log = follow(log, message);
    seen.add(tip(), message.panels, before);
    if (about) emit("refuse", "");
    told?.({ ok: true });
    if (message.panels.tabs) emit("panels", { tabs: message.panels.tabs });
    if (following) goTo(tip());
    else emit("show");
    if (violationAt(log.events, tip())) emit("stop");
    server.next();
  }

  /** @param {Hello} message */
  function greeted(message) {
    if (message.epoch === log.epoch) accept(follow(log, message), message.panels);
    else settle(follow(NOTHING, message), message.panels);
  }

  /** Takes in a stretch of the log that was asked for. @param {Stretch} stretch */
  function take(stretch) {
    if (restarted) settle(follow(restarted, stretch));
    else if (stretch.epoch === log.epoch) accept(follow(log, stretch)); // the socket tells more about another epoch
  }

  /**
   * Compares with the log of a server that began again. It has this run, if somebody
   * has restored it, or another one, or none.
   * @param {Log} told
   * @param {Panels} [panels]
   */
  function settle(told, panels) {
    restarted = written(told) ? undefined : told;
    if (restarted) return void missing();
    const unmade = draft && !missed && told.actions === 0 && !told.header;
    if (reprogrammed(told) || !(unmade || forgotten(log, told))) return accept(told, panels);
    log = ended(log); // nobody has the rest of it
    if (told.actions > 0) {
      lost = words.beside;
      socket?.end();
      emit("refuse", lost);
      return;
    }
    missed = true;
    restore();
    if (!draft) emit("refuse", words.restored);
  }

  /** Makes that the log. @param {Log} told @param {Panels} [panels]  at its end */
  function accept(told, panels) {
    if (reprogrammed(told)) return void emit("reload");
    const made = draft;
    draft = missed = false;
    const following = position === tip() && !made; // if another page has made it, the presses belong here
    if (told.epoch !== log.epoch) seen.clear();
    log = told;
    if (panels) seen.add(tip(), panels);
    emit("withdraw", lost);
    if (made) emit("made");
    goTo(following ? tip() : Math.min(position, tip()));
    server.next();
  }

  /** Reports whether a run in which nothing has happened has a program of its own now. @param {Log} told */
  function reprogrammed({ actions, header }) {
    return actions === 0 && Boolean(header) && begin.log.header !== undefined && header !== begin.log.header;
  }

  /** @param {import("./socket.js").Opened} message */
  function open(message) {
    if (message.run !== begin.run) {
      server.leave();
      emit("branch", message);
      return;
    }
    emit("refuse", "");
    if (message.at >= 0) goTo(message.at);
    server.next();
  }

  return {
    lang,
    base,
    on,
    get log() {
      return log;
    },
    get position() {
      return position;
    },
    get tip() {
      return tip();
    },
    /** Whether all that has happened up to here has come. */
    get reached() {
      return reaches(log, position);
    },
    /** Waits until the whole log has come. */
    whole: missing,

    /** What the panels show here; undefined: the server is asked. */
    panels() {
      const panels = seen.at(position);
      if (!panels) look();
      return panels && { ...panels, tabs: seen.at(tip())?.tabs ?? panels.tabs };
    },
    /** Whether it is known which actions are possible here. */
    get settled() {
      return seen.at(position) !== undefined;
    },

    /** Goes to a position. @param {number} to */
    go(to) {
      emit("stop");
      goTo(to);
    },
    advance,
    /** Reports whether a press has no answer yet. */
    busy: server.busy,
    /** Steps once, in its turn. */
    step() {
      emit("stop");
      server.press(() => void advance(scheduler()));
    },
    /**
     * Goes one action back, in its turn.
     * @param {number} least  the position before which there is nothing to take back
     * @param {(possible: boolean) => void} told
     */
    undo(least, told) {
      emit("stop");
      server.press(() => {
        told(position > least);
        if (position > least) goTo(position - 1);
      });
    },
    /** Does an action, in its turn. @param {string} action  a line of scenario text @param {Record<string, string>} [fields]  of its form */
    act(action, fields) {
      emit("stop");
      server.press(() => act(action, fields));
    },
    /** Does an action, in its turn, and resolves to the outcome. @param {string} action @returns {Promise<Answer>} */
    outcome: (action) => server.outcome((told) => act(action, undefined, told)),
    /** Makes the run of a draft, and resolves to the outcome. @returns {Promise<Answer>} */
    begun: () => server.outcome((told) => told({ ok: true })),
    /** Runs the schedule up to here again with another program. @param {{from: string, program: string, source: string}} program */
    rerun(program) {
      emit("stop");
      server.press(() => server.ask({ type: "rerun", at: position, ...program }, program.source ? "program" : "action"));
    },
    /** Asks something of the room. @param {Record<string, string>} fields @param {Told} [told] */
    ask(fields, told) {
      if (!server.ask({ type: "room", with: fields }, "room", told)) told?.({ ok: false, text: lost });
    },
    /** Tells the server something that it does not answer. @param {object} message */
    tell: (message) => socket?.send(message),
  };
}
