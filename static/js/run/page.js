/**
 * The page of a run: carries what the reader does to the socket, and shows the
 * run at a position, as panels, picture and list. Without a socket the past can
 * still be played; without scripts every form works by itself.
 */

import { ahead } from "./lookahead.js";
import { console as consoleOf } from "../console/console.js";
import { keysAt } from "../console/keys.js";
import { element } from "../lib/element.js";
import { fullScreen } from "../lib/fullscreen.js";
import { help } from "../site/help.js";
import { keys } from "../site/keys.js";
import { otherLanguage } from "../site/language.js";
import { list } from "./list.js";
import { NOTHING, album, complete, ended, follow, forgotten, known, playhead, reaches, scenario, written } from "../trace/log.js";
import { live } from "./socket.js";
import { menus } from "../lib/menus.js";
import { morph } from "./panels.js";
import { keepPlace, takePlace } from "../lib/panes.js";
import { player } from "./player.js";
import { program } from "./program.js";
import { requests } from "./requests.js";
import { rest } from "./backfill.js";
import { search } from "./search.js";
import { share } from "../share/share.js";
import { settings } from "../site/settings.js";
import { speech } from "./speech.js";
import { minimap } from "../timeline/minimap.js";
import { timeline } from "../timeline/timeline.js";
import { goToForm, nextViolation } from "./go-to.js";

/**
 * @typedef {import("./socket.js").Message} Message
 * @typedef {import("../trace/state.js").Event} Event
 */

/** @type {{version: number, lang: "en" | "zh", base: string, run: string, path: string, step: number, log: import("./socket.js").Stretch, timeline: import("../timeline/layout.js").Words, words: Record<string, string>, console: import("../console/console.js").Help, beside?: import("./compare.js").Beside, task?: string}} */
const begin = JSON.parse(element("run-data").textContent ?? "");
const { lang, words, base } = begin;

/** @type {import("../trace/log.js").Log} */
let log = follow(NOTHING, begin.log);
/** The log of a server that has begun anew, until enough of it has come to know whether it is this run's. @type {import("../trace/log.js").Log | undefined} */
let anew;
let position = begin.step;
const seen = album();

/** Between two questions about what the panels show, ms: while the scrubber is dragged they follow a little later. */
const BETWEEN_LOOKS = 100;
let looked = -BETWEEN_LOOKS;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;

/** After this long without an answer the panels are known to be of another position, ms. */
const LATE = 500;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let late;

const stage = element("timeline-box");
const picture = timeline(stage, { lang, words: begin.timeline, opensWhole: !begin.beside, minimap, onSelect: (seq) => select(seq, true) });
const loading = element("loading");
// Few pages compare: the others do not load what does it.
const beside = begin.beside && (await import("./compare.js")).compare(document.body, {
  beside: begin.beside, lang, drawing: begin.timeline, timeline, first: { box: stage, picture }, onGo: goTo,
});
const twin = list(document.body, { lang });
const scrubber = /** @type {HTMLInputElement} */ (element("position"));
const play = player(element("play-controls"), { words, advance });

const code = program();
/** Why nothing can be asked for without a connection. */
let lost = element("connection").textContent ?? "";
/** Asks for what has not come of this run's log, and of that beside it. */
const missing = rest({ address: () => `${base}${begin.path}/events?lang=${lang}`, log: () => anew ?? log, take });
let other = begin.beside && follow(NOTHING, begin.beside.log);
const missingBeside = rest({
  address: () => `${base}${begin.beside?.path}/events?lang=${lang}`,
  log: () => other ?? NOTHING,
  take(stretch) {
    other = follow(other ?? NOTHING, stretch);
    show();
  },
});
const server = requests({
  send: (message) => socket.send(message),
  onLost(told) {
    if (!told) refuse(lost);
    return lost;
  },
});
const typed = consoleOf(element("console"), {
  lang,
  help: begin.console,
  send: (line) => server.outcome((told) => server.ask({ type: verb(), at: position, action: line }, "action", told)),
});

const scheme = location.protocol === "https:" ? "wss:" : "ws:";
const socket = live(
  () => `${scheme}//${location.host}${base}${begin.path}/live?lang=${lang}&${known(log)}`,
  {
    onMessage: receive,
    onConnection(connected) {
      element("connection").hidden = connected;
      foresight.connected(connected);
      if (!connected) play.stop();
    },
  },
);

const foresight = ahead(document.getElementById("ahead"), {
  address: `${base}${begin.path}/ahead?lang=${lang}`,
  words,
  onDo(line) {
    play.stop();
    server.press(() => server.ask({ type: verb(), at: position, action: line }, "action"));
  },
});

help(document);
menus(document);
otherLanguage(document, () => {
  code.keep();
  keepPlace();
  return { step: position < tip() ? String(position) : undefined };
});
fullScreen(document);
const finder = search(element("events"), { lang, words, list: twin, onSelect: (seq) => select(seq, true) });
goToForm(/** @type {HTMLDetailsElement} */ (element("go")), {
  tip,
  position: () => position,
  onGo(to) {
    play.stop();
    goTo(to);
  },
});
const voice = speech(document, { lang, words });
settings(document, {
  changed() {
    picture.resize();
    voice.refresh();
  },
});
const shortcuts = keys(document);
element("scrubber").hidden = false;
scrubber.addEventListener("input", () => {
  play.stop();
  goTo(Number(scrubber.value));
});
share(element("share"), {
  whole: missing,
  scenario: () => scenario(log),
  step: () => position,
  svg: () => picture.whole(),
  base,
  lang,
});
show();
takePlace();
addEventListener("hashchange", toHash);
toHash();

// What the reader does

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  const target = form.getAttribute("action") ?? ""; // form.action may be a field of that name
  if (!target.startsWith(`${base}${begin.path}/`)) return; // not about this run
  if (/\/(forks|lesson|claims)$/.test(target)) return; // it leads to another run, or is the lesson's
  event.preventDefault(); // posting the form would lose the page where there is no server to answer
  // The panels may still show another position: then only the server knows what can be done here.
  if (button?.getAttribute("aria-disabled") === "true" && (form.id === "moves" || seen.at(position))) {
    if (button.title) refuse(button.title);
    return;
  }
  play.stop();
  const data = new FormData(form, button);
  if (form.id === "moves") return move(String(data.get("action")));
  server.press(() => (target.endsWith("/reruns") ? rerun(data) : act(data)));
});

/** @param {string} action */
function move(action) {
  switch (action) {
    case "first":
      return goTo(0);
    case "back":
      return goTo(position - 1);
    case "last":
      return goTo(tip());
    case "violation":
      return goToViolation();
  }
  server.press(() => void advance(play.choice()));
}

/** To where something begins to be wrong. */
function goToViolation() {
  const event = nextViolation(log.events, position);
  if (!event && !complete(log)) return void missing().then(goToViolation);
  refuse(event ? "" : words.harmless);
  if (!event) return;
  goTo(event.action);
  select(event.seq, true);
}

/** One action further, unless the lesson waits for a prediction. @param {{random: boolean, seed: number}} choice */
function advance(choice) {
  if (!document.dispatchEvent(new Event("advance", { cancelable: true }))) return false;
  if (position < tip()) {
    goTo(position + 1);
    return !violates(position);
  }
  if (server.awaits("action")) return true; // the beat is faster than the answers
  return server.ask({ type: "schedule", at: position, ...choice }, "action");
}

/** Whether something began to be wrong with the action that led to a position. @param {number} at */
function violates(at) {
  return done(at).some((e) => e.kind === "violation");
}

/** To act in the past begins a branch. */
function verb() {
  return position < tip() ? "branch" : "act";
}

/** @param {FormData} data */
function act(data) {
  const { action, at, past, ...fields } = Object.fromEntries([...data].map(([k, v]) => [k, String(v)]));
  return server.ask({ type: verb(), at: position, action, with: fields }, "action");
}

/** @param {FormData} data */
function rerun(data) {
  const source = String(data.get("source") ?? "").replaceAll("\r\n", "\n");
  return server.ask({ type: "rerun", at: position, from: data.get("from") ?? "", program: data.get("program") ?? "", source }, source ? "program" : "action");
}

// What the room wants, which is in room.js

document.addEventListener("ask", (event) => {
  const { message, about, told } = /** @type {CustomEvent} */ (event).detail;
  if (!about) socket.send(message);
  else if (!server.ask(message, about, told)) told?.({ ok: false, text: lost });
});

document.addEventListener("go", (event) => {
  play.stop();
  goTo(/** @type {CustomEvent<number>} */ (event).detail);
});

// What the server tells

/** @param {Message} message */
function receive(message) {
  if (message.type === "hello" || message.type === "room" || message.type === "seat") {
    if (message.type === "hello") greeted(message);
    if (message.type === "room") morph(message.panels);
    document.dispatchEvent(new CustomEvent("told", { detail: message }));
    return;
  }
  const { about, told } = server.settle(message.id);
  switch (message.type) {
    case "error":
      if (about === "look") return;
      if (about === "room") return told ? told({ ok: false, text: message.text }) : refuse(message.text);
      play.stop();
      if (about === "program") code.refuse(message);
      else if (!told) refuse(message.text);
      if (message.code === "limit") element("limit").hidden = false;
      server.forget(message.text);
      return;
    case "view":
      seen.add(message.at, message.panels);
      showPanels();
      foresight.mark();
      shortcuts.refresh();
      return;
    case "opened":
      told?.({ ok: true });
      return open(message);
    case "done":
      if (about === "room" && !told) refuse("");
      told?.({ ok: true });
      return server.next();
  }
  if (anew) {
    anew = follow(anew, message);
    return;
  }
  const before = tip();
  const following = position === before;
  log = follow(log, message);
  seen.add(tip(), message.panels, before);
  if (about) refuse("");
  told?.({ ok: true });
  if (message.panels.tabs) morph({ tabs: message.panels.tabs });
  if (following) goTo(tip());
  else show();
  if (violates(tip())) play.stop();
  server.next();
}

/** @param {import("./socket.js").Hello} message */
function greeted(message) {
  if (message.epoch === log.epoch) accept(follow(log, message), message.panels);
  else settle(follow(NOTHING, message), message.panels);
}

/** A stretch of the log has come that was asked for. @param {import("./socket.js").Stretch} stretch */
function take(stretch) {
  if (anew) settle(follow(anew, stretch));
  else if (stretch.epoch === log.epoch) accept(follow(log, stretch)); // of another one the socket tells more
}

/**
 * A server that began anew has this run, as somebody has brought it back, or another one, or none.
 * @param {import("../trace/log.js").Log} told
 * @param {Record<string, string>} [panels]
 */
function settle(told, panels) {
  anew = written(told) ? undefined : told;
  if (anew) return void missing();
  if (reprogrammed(told) || !forgotten(log, told)) return accept(told, panels);
  log = ended(log); // nobody has the rest of it
  if (told.actions > 0) {
    lost = words.beside;
    socket.end();
    return refuse(lost);
  }
  server.ask({ type: "restore", scenario: scenario(log), task: begin.task }, "restore");
  refuse(words.restored);
}

/** The log has become that. @param {import("../trace/log.js").Log} told @param {Record<string, string>} [panels]  at its end */
function accept(told, panels) {
  if (reprogrammed(told)) return location.reload();
  const following = position === tip();
  if (told.epoch !== log.epoch) seen.clear();
  log = told;
  if (panels) seen.add(tip(), panels);
  if (element("refusal").textContent === lost) refuse("");
  goTo(following ? tip() : Math.min(position, tip()));
  server.next();
}

/** Whether a run in which nothing has happened has a program of its own now. @param {import("../trace/log.js").Log} told */
function reprogrammed({ actions, header }) {
  return actions === 0 && Boolean(header) && begin.log.header !== undefined && header !== begin.log.header;
}

/** A branch is a run with an address of its own. @param {import("./socket.js").Opened} message */
function open({ run, at, omitted }) {
  if (run === begin.run) {
    refuse("");
    if (at >= 0) goTo(at);
    return server.next();
  }
  server.leave();
  addEventListener("pageshow", (event) => event.persisted && location.reload()); // back from there, it may be as it was left
  if (at >= 0) code.keep();
  keepPlace();
  const query = new URLSearchParams();
  if (at < 0) query.set("beside", begin.run); // the same schedule: to be compared
  if (omitted) query.set("omitted", String(omitted));
  location.assign(`${base}/t/${run}${at < 0 ? `?${query}` : ""}`);
}

// The run at a position

function tip() {
  return log.actions;
}

/** @param {number} to */
function goTo(to) {
  const from = position;
  position = Math.max(0, Math.min(to, tip()));
  show();
  if (position === from) return;
  why(0);
  if (element("refusal").textContent === words.harmless) refuse("");
  if (reaches(log, position)) voice.say(done(position));
}

/** The events of the action that led to a position. @param {number} at */
function done(at) {
  return log.events.slice(playhead(log.events, at - 1), playhead(log.events, at));
}

function show() {
  if (reaches(log, position)) draw();
  element("picture").classList.toggle("unknown", !reaches(log, position));
  tellMissing();
  scrubber.max = String(tip());
  scrubber.value = String(position);
  element("position-text").textContent = words.position.replace("{at}", String(position)).replace("{tip}", String(tip()));
  disable("first", position === 0);
  disable("back", position === 0);
  disable("last", position === tip());
  document.body.classList.toggle("past", position < tip());
  showPanels();
  foresight.show(position);
  code.show();
  shortcuts.refresh();
  document.dispatchEvent(new Event("shown"));
}

/** What has happened here. */
function draw() {
  const head = playhead(log.events, position);
  if (!beside) picture.show(log.events, { playhead: head });
  else if (other && complete(log) && complete(other)) beside.show(log.events, other.events, position);
  twin.show(log.events, head);
  finder.refresh(log.events);
  typed.show(log.events, head);
  typed.keys(keysAt(log.events, head));
}

/** Says how much of the log has come, until all of it has. */
function tellMissing() {
  const all = other ? [log, other] : [log];
  loading.hidden = all.every(complete);
  if (loading.hidden) return;
  const [n, of] = [all.reduce((sum, { events }) => sum + events.length, 0), all.reduce((sum, { total }) => sum + total, 0)];
  loading.textContent = words.loading.replace("{n}", String(n)).replace("{all}", String(of));
  missing();
  if (other) missingBeside();
}

/** What the panels show here; where that stays unknown for a while they say that they are of another position. */
function showPanels() {
  const panels = seen.at(position);
  clearTimeout(late);
  if (panels) document.body.classList.remove("awaited");
  else late = setTimeout(() => document.body.classList.add("awaited"), LATE);
  if (panels) morph({ ...panels, tabs: seen.at(tip())?.tabs ?? panels.tabs });
  else look();
}

/** Asks what the panels show here; one question at a time, not one a frame, and the last place counts. */
function look() {
  clearTimeout(soon);
  if (seen.at(position) || server.awaits("look")) return;
  const early = looked + BETWEEN_LOOKS - performance.now();
  if (early > 0) {
    soon = setTimeout(look, early);
    return;
  }
  looked = performance.now();
  server.ask({ type: "look", at: position }, "look");
}

/** @param {string} id @param {boolean} off */
function disable(id, off) {
  if (off) element(id).setAttribute("aria-disabled", "true");
  else element(id).removeAttribute("aria-disabled");
}

// Selecting

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const asked = target.closest("[data-why]");
  if (asked) {
    event.preventDefault(); // the link is for those without scripts
    return why(asked.hasAttribute("aria-current") ? 0 : Number(asked.getAttribute("data-why")));
  }
  const marked = target.closest("[data-seq]");
  if (!marked || marked.closest(".timeline-box")) return; // the picture says itself what is selected
  if (target.closest("a")) event.preventDefault(); // the link is for those without scripts
  select(Number(marked.getAttribute("data-seq")), !marked.closest(".rows"));
});

/**
 * Selects an event in the picture, in the list, on the wire, and its line of code.
 * @param {number} seq
 * @param {boolean} inView  its row is brought into view
 */
function select(seq, inView) {
  if (seq > log.total) return;
  if (!reaches(log, position) || seq > log.events.length) return void missing().then(() => select(seq, inView));
  picture.select(seq);
  twin.select(seq, inView);
  const event = log.events[seq - 1];
  code.select(event && lineOf(event));
}

/**
 * Points at the event that made a violation inevitable: in the picture, in the list, in the code.
 * @param {number} seq  0: at none
 */
function why(seq) {
  if (seq && !complete(log)) return void missing().then(() => why(seq));
  picture.explain(seq);
  if (seq) select(seq, true);
  for (const link of document.querySelectorAll("[data-why]")) {
    if (link.getAttribute("data-why") === String(seq)) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** The address may name an event, as the number of a row leads to it. */
function toHash() {
  const [, seq] = /^#event-(\d+)$/.exec(location.hash) ?? [];
  if (seq) select(Number(seq), true);
}

/** The line of code that an event is about: that from which its command was sent.
 * @param {Event} event
 */
function lineOf(event) {
  const client = event.call?.client ?? event.lane;
  const spawned = log.events.find((e) => e.lane === client && e.kind === "spawn");
  const sent = event.call ? log.events.find((e) => e.kind === "send" && e.call?.id === event.call?.id) : event;
  const program = spawned?.spawned?.program;
  return program && sent?.line ? { program, number: sent.line } : undefined;
}

/** @param {string} sentence  why what was asked for has not been done; empty: it has */
function refuse(sentence) {
  const note = element("refusal");
  note.textContent = sentence;
  note.hidden = sentence === "";
}
