/**
 * The projector: shows the run of the room where its driver looks, and what the
 * room does besides. Nobody stands beside it, so it needs no hand.
 *
 * @typedef {import("./connection.js").Begin} Begin
 * @typedef {import("./connection.js").Room} Room
 * @typedef {import("../run/socket.js").Message} Message
 * @typedef {import("../trace/state.js").Event} Event
 */

import { Idiomorph } from "../../vendor/idiomorph/idiomorph.esm.js";
import { captionOf } from "../trace/caption.js";
import { element } from "../lib/element.js";
import { beforePaint } from "../lib/frame.js";
import { fullScreen } from "../lib/fullscreen.js";
import { keys } from "../site/keys.js";
import { live } from "../run/socket.js";
import { NOTHING, complete, follow, known, playhead, reaches } from "../trace/log.js";
import { rest } from "../run/backfill.js";
import { history } from "../timeline/history.js";
import { minimap } from "../timeline/minimap.js";
import { timeline } from "../timeline/timeline.js";

/** @type {{log: import("../run/socket.js").Stretch, timeline: import("../timeline/layout.js").Words, words: Record<string, string>}} */
const { timeline: drawing, words, ...begin } = JSON.parse(element("run-data").textContent ?? "");
/** @type {Begin} */
const { lang, base, ...room } = JSON.parse(element("room-data").textContent ?? "");

/** How large the picture's letters are, as css/screen.css has them: the first with which all lanes have room. */
const SIZES = ["large", "medium", "small", "smallest"];

/** @type {import("../trace/log.js").Log} */
let log = follow(NOTHING, begin.log);
/** Where the driver looks; -1: at the end. */
let at = room.at;
/** Whether somebody has asked for the way to join, or sent it away; undefined: neither. @type {boolean | undefined} */
let asked;

const screen = element("screen");
const picture = timeline(element("timeline-box"), { lang, words: drawing, minimap });
const states = history();

/** The path of the run that the room shows. */
let run = room.run;
/** Asks for what has not come of its log. */
const missing = rest({
  address: () => `${base}${run}/events?lang=${lang}`,
  log: () => log,
  take(stretch) {
    if (stretch.epoch !== log.epoch) return; // the room shows another run by now
    log = follow(log, stretch);
    show();
  },
});
let socket = connect();

/** To the socket of that run. */
function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const mine = run;
  return live(() => `${scheme}//${location.host}${base}${mine}/live?surface=screen&lang=${lang}&${known(log)}`, {
    onMessage: (message) => mine === run && receive(message),
    onConnection: (connected) => mine === run && (element("connection").hidden = connected),
  });
}

/** @param {Message | Room} message */
function receive(message) {
  switch (message.type) {
    case "hello":
    case "events":
      log = follow(log, message);
      return show();
    case "room":
      at = message.at;
      if (message.panels.room) change(message.panels.room);
      if (message.run && message.run !== run) move(message.run);
      return show();
  }
}

/** The room shows another run. @param {string} to */
function move(to) {
  run = to;
  log = NOTHING;
  picture.show([]); // what comes is opened anew
  socket.end();
  socket = connect();
}

/** The room has changed. @param {string} html */
function change(html) {
  Idiomorph.morph(element("room"), html, {
    // What the script has said of a button stays.
    callbacks: { beforeAttributeUpdated: (name, node) => !(node.matches("button") && ["hidden", "aria-expanded", "aria-pressed"].includes(name)) },
  });
}

function show() {
  const position = at < 0 ? log.actions : Math.min(at, log.actions);
  if (log.epoch && !complete(log)) missing();
  if (reaches(log, position)) draw(position);
  welcome();
  fit();
}

/** What has happened at a position. @param {number} position */
function draw(position) {
  const head = playhead(log.events, position);
  states.read(log.events);
  const state = states.at(head);
  picture.show(log.events, { playhead: head });
  const { caption, alerts } = captionOf(log.events.slice(0, head), position, state.violations);
  say(element("caption"), [caption?.sentence[lang] ?? (position === 0 ? words.beginning : "")]);
  say(element("alerts"), alerts.map((event) => event.sentence[lang]), "p");
}

/**
 * Only what is new is said: an alert that is written anew is spoken anew.
 * @param {HTMLElement} node
 * @param {string[]} sentences
 * @param {"p"} [each]  an element for each of them
 */
function say(node, sentences, each) {
  const said = each ? [...node.children].map((child) => child.textContent?.trim()) : [node.textContent?.trim()];
  if (said.join("\n") === sentences.join("\n")) return;
  if (!each) return node.replaceChildren(...sentences);
  node.replaceChildren(...sentences.map((sentence) => {
    const p = document.createElement(each);
    p.textContent = sentence;
    return p;
  }));
}

/** What there was room for when the size was chosen. */
let roomFor = "";

/**
 * Draws as large as it can be with all lanes in view: nobody can scroll on a
 * projector. It gets larger again only when there is something else to draw or more room for it, so
 * that it does not change its size with every step.
 */
function fit() {
  fitSide();
  const pane = element("picture");
  const { lanes, keys } = { lanes: pane.querySelectorAll(".badge-name, .node-name").length, keys: pane.querySelectorAll(".key-name").length };
  const now = [lanes, keys, pane.clientHeight, pane.clientWidth].join();
  let size = now === roomFor ? SIZES.indexOf(pane.dataset.size ?? SIZES[0]) : 0;
  for (; size < SIZES.length; size++) {
    pane.dataset.size = SIZES[size];
    picture.resize();
    if (!pane.querySelector(".edge") && pane.scrollHeight <= pane.clientHeight) break;
  }
  roomFor = now;
}

/** How large the letters of a poll are. */
const LETTERS = ["large", "medium", "small", "tiny"];

/** All that is asked is in view, too. */
function fitSide() {
  const side = /** @type {HTMLElement | null} */ (document.querySelector(".screen-poll"));
  if (!side) return;
  for (let i = LETTERS.indexOf(side.dataset.size ?? "") + 1; i < LETTERS.length && side.scrollHeight > side.clientHeight; i++) side.dataset.size = LETTERS[i];
}

/** How to join fills the page until there is something to see, and whenever it is asked for. */
function welcome() {
  const idle = log.actions === 0 && !element("room").hasAttribute("data-busy");
  const open = asked ?? idle;
  screen.toggleAttribute("data-join", open);
  document.getElementById("join")?.setAttribute("aria-expanded", String(open));
}

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element) || !target.closest("#join")) return;
  asked = !screen.hasAttribute("data-join");
  welcome();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !screen.hasAttribute("data-join")) return;
  asked = false;
  welcome();
});

fullScreen(document);
keys(document);
new ResizeObserver(beforePaint(fit)).observe(element("stage"));
show();
