/**
 * The projector: shows the run at the driver's position, and what else the room
 * does. It needs no hand, because nobody stands beside it.
 *
 * @typedef {import("./connection.js").Begin} Begin
 * @typedef {import("./connection.js").Room} Room
 * @typedef {import("../run/socket.js").Message} Message
 * @typedef {import("../trace/state.js").Event} Event
 */

import { Idiomorph } from "../../vendor/idiomorph/idiomorph.esm.js";
import { brief, captionOf } from "../trace/caption.js";
import { element } from "../lib/element.js";
import { beforePaint } from "../lib/frame.js";
import { fullScreen } from "../lib/fullscreen.js";
import { keys } from "../site/keys.js";
import { openSocket } from "../run/socket.js";
import { NOTHING, complete, follow, known, playhead, reaches } from "../trace/log.js";
import { backfill } from "../run/backfill.js";
import { down } from "../timeline/down.js";
import { history } from "../timeline/history.js";
import { layout } from "../timeline/layout.js";
import { say, sayEach } from "../stage/card.js";
import { stage } from "../stage/stage.js";

/** @type {{log: import("../run/socket.js").Stretch, timeline: import("../timeline/layout.js").Words, words: Record<string, string>}} */
const { timeline: drawing, words, ...begin } = JSON.parse(element("run-data").textContent ?? "");
/** @type {Begin} */
const { lang, base, ...room } = JSON.parse(element("room-data").textContent ?? "");

/** Sizes of the picture's letters, rem: the first that fits all lanes is used. At the first, values have 24 px on a projector of 1280 × 720. */
const SIZES = [4 / 3, 7 / 6, 1, 0.85, 0.725, 0.6];

/** The parts stand one under the other there, as in css/screen.css. */
const narrow = matchMedia("(max-aspect-ratio: 1), (max-width: 700px)");

/** @type {import("../trace/log.js").Log} */
let log = follow(NOTHING, begin.log);
/** The driver's position; -1: the end. */
let at = room.at;
/** Whether somebody opened or closed the join card; undefined: neither. @type {boolean | undefined} */
let asked;

const screen = element("screen");
/** The position that is shown, and the last event that has happened there. */
let here = { position: 0, head: 0 };
// Letters are large there, and no reason to turn the picture: time runs to the right, however little of it there is room for.
const picture = stage(element("timeline-box"), {
  lang, words: drawing, onArrive: (seq) => seq === here.head && tell(),
  down: { get layout() { return narrow.matches ? down.layout : layout; }, load: down.load },
});
const states = history();

/** The path of the run that the room shows. */
let run = room.run;
/** Fetches the missing part of its log. */
const missing = backfill({
  address: () => `${base}${run}/events?lang=${lang}`,
  log: () => log,
  take(stretch) {
    if (stretch.epoch !== log.epoch) return; // the room shows another run by now
    log = follow(log, stretch);
    show();
  },
});
let socket = connect();

/** Connects to the socket of that run. */
function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const mine = run;
  return openSocket(() => `${scheme}//${location.host}${base}${mine}/live?surface=screen&lang=${lang}&${known(log)}`, {
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

/** Shows another run of the room. @param {string} to */
function move(to) {
  run = to;
  log = NOTHING;
  picture.show([]); // the next events open it anew
  socket.end();
  socket = connect();
}

/** Shows the changed room. @param {string} html */
function change(html) {
  Idiomorph.morph(element("room"), html, {
    // The attributes that the script has set stay.
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

/** Draws a position. @param {number} position */
function draw(position) {
  here = { position, head: playhead(log.events, position) };
  picture.show(log.events, { playhead: here.head });
}

/** Says what has happened, once the picture shows it. */
function tell() {
  const { events } = log;
  const { position, head } = here;
  states.read(events);
  const { caption, alerts } = captionOf(events.slice(0, head), position, states.at(head).violations);
  say(element("caption"), caption?.sentence[lang] ?? (position === 0 ? words.beginning : ""));
  sayEach(element("alerts"), alerts.map((alert) => brief(alert, events, lang)));
}

/** The space and content for which the size was chosen, and the size, by its place. */
let chosen = { space: "", content: "", size: 0 };

/**
 * Draws as large as possible with all lanes in view: nobody can scroll on a
 * projector. The size grows again only for other content or more space, and so stays
 * the same from step to step.
 */
function fit() {
  fitSide();
  const pane = element("picture");
  const content = [".badge-name, .node-name", ".key-name"].map((names) => pane.querySelectorAll(names).length).join();
  const space = `${pane.clientWidth} × ${pane.clientHeight}`;
  const fits = () => !pane.querySelector(".edge") && pane.scrollHeight <= pane.clientHeight;
  /** @param {number} size */
  const choose = (size) => {
    const same = size === chosen.size && space === chosen.space;
    chosen = { space, content, size };
    if (same) return; // a motion goes on
    pane.style.fontSize = `${SIZES[size]}rem`;
    picture.resize();
  };
  if (content !== chosen.content || space !== chosen.space) choose(0);
  while (!fits() && chosen.size < SIZES.length - 1) choose(chosen.size + 1);
}

/** Sizes of a poll's letters. */
const LETTERS = ["large", "medium", "small", "tiny"];

/** Shrinks the poll until all of it is in view. */
function fitSide() {
  const side = /** @type {HTMLElement | null} */ (document.querySelector(".screen-poll"));
  if (!side) return;
  for (let i = LETTERS.indexOf(side.dataset.size ?? "") + 1; i < LETTERS.length && side.scrollHeight > side.clientHeight; i++) side.dataset.size = LETTERS[i];
}

/** Shows the join card until there is something to see, and when somebody opens it. */
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
