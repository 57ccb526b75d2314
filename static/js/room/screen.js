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
import { coarse } from "../timeline/parts/coarse.js";
import { edge } from "../timeline/parts/edge.js";
import { loadDown } from "../timeline/downwards.js";
import { history } from "../timeline/history.js";
import { say, sayEach } from "../stage/card.js";
import { stage } from "../stage/stage.js";
import { hearTimer, showTimer } from "./timer.js";

/** @type {{log: import("../run/socket.js").Stretch, timeline: import("../timeline/layout.js").Words, words: Record<string, string>}} */
const { timeline: drawing, words, ...begin } = JSON.parse(element("run-data").textContent ?? "");
/** @type {Begin} */
const { lang, base, ...room } = JSON.parse(element("room-data").textContent ?? "");

/** Sizes of the picture's letters, rem: the first that fits all lanes is used. At the first, values have 24 px on a projector of 1280 × 720. */
const SIZES = [4 / 3, 5 / 4, 7 / 6, 13 / 12, 1, 0.9, 0.8, 0.7, 0.6, 0.5];

/** How the card gives way to the lanes, before their letters become smaller: it has smaller letters, and beside a poll or an exercise no caption. */
const SAYS = ["large", "small", "least"];

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
let here = { of: log, position: 0, head: 0, begins: false };
if (narrow.matches) await loadDown();
// Letters are large there, and no reason to turn the picture: time runs to the right, however little of it there is room for.
const picture = stage(element("timeline-box"), {
  lang, words: drawing, coarse, edge, onArrive: (seq) => seq === here.head && tell(),
  mayRunDown: () => narrow.matches,
});
const states = history();

/** The path of the run that the room shows. */
let run = room.run;
/** The room shows another run, of which nothing has come yet: the picture of the one before stays. */
let moved = false;
/**
 * The start of the exercise, which the wall shows until the run goes on.
 * @type {{path: string, from: string, log: import("../trace/log.js").Log} | null}  from: where the run was
 */
let start = null;
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
    case "timer":
      return hearTimer(message.left);
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
  moved = true;
  socket.end();
  socket = connect();
}

/** The class sees the answer happen for this long, ms, before the reasons take the wall. */
const SEEN_MS = 3000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let reasons;

/** Keeps the reasons back after a question's answer is revealed, so that the picture shows how it came. */
function holdReasons() {
  clearTimeout(reasons);
  screen.dataset.revealing = "";
  reasons = setTimeout(() => {
    delete screen.dataset.revealing;
    changed = true;
    fit();
  }, SEEN_MS);
}

/** Shows the changed room. @param {string} html */
function change(html) {
  const asks = document.querySelector(".screen-poll:not(#screen-poll-revealed)");
  Idiomorph.morph(element("room"), html, {
    // The attributes that the script has set stay.
    callbacks: { beforeAttributeUpdated: (name, node) => name !== "data-size" && !(node.matches("button") && ["hidden", "aria-expanded", "aria-pressed"].includes(name)) },
  });
  showTimer();
  changed = true;
  if (asks && document.getElementById("screen-poll-revealed")) holdReasons();
}

/** The room has changed: the pane of the picture may have had another size for a moment. */
let changed = false;

function show() {
  if (moved && !log.epoch) return fit();
  const position = at < 0 ? log.actions : Math.min(at, log.actions);
  if (log.epoch && !complete(log)) missing();
  if (reaches(log, position)) draw(begins(position) ?? { of: log, position, begins: false });
  welcome();
  fit();
}

/** Returns the start of the exercise, if the wall shows it: once it has come, and until the run goes on. @param {number} position */
function begins(position) {
  const path = element("room").dataset.start;
  if (!path || !log.epoch) {
    start = null;
    return null;
  }
  const from = `${run} ${position} ${log.actions}`;
  if (start?.path !== path) {
    start = { path, from, log: NOTHING };
    fetchStart(start);
  }
  return start.from === from && start.log.epoch && complete(start.log) ? { of: start.log, position: start.log.actions, begins: true } : null;
}

/** @param {{path: string, from: string, log: import("../trace/log.js").Log}} asked */
async function fetchStart(asked) {
  try {
    while (start === asked && !(asked.log.epoch && complete(asked.log))) {
      const answer = await fetch(`${base}${asked.path}&lang=${lang}&${known(asked.log)}`);
      if (!answer.ok) return; // the run stays
      asked.log = follow(asked.log, await answer.json());
    }
  } catch {
    if (start === asked) start = null; // the next message asks again
  }
  if (start === asked) show();
}

/** The log of which the picture shows a position, which only grows. */
let shown = { epoch: "" };

/** Draws a position of a log. @param {{of: import("../trace/log.js").Log, position: number, begins: boolean}} what */
function draw({ of, position, begins }) {
  here = { of, position, head: playhead(of.events, position), begins };
  if (of.epoch !== shown.epoch) picture.show([]); // another run opens again
  shown = { epoch: of.epoch };
  moved = false;
  picture.show(of.events, { playhead: here.head });
}

/** Says what has happened, once the picture shows it. */
function tell() {
  const { of: { events }, position, head } = here;
  states.read(events);
  if (here.begins) {
    say(element("caption"), element("room").dataset.begins ?? "");
    sayEach(element("alerts"), []);
    return;
  }
  const { caption, alerts } = captionOf(events.slice(0, head), position, states.at(head).violations);
  say(element("caption"), caption?.sentence[lang] ?? (position === 0 ? words.beginning : ""));
  sayEach(element("alerts"), alerts.map((alert) => brief(alert, events, lang)));
}

/** The space and content for which the card and the letters were chosen, and both, by their places. */
let chosen = { space: "", content: "", says: 0, size: 0 };

/**
 * Draws as large as possible with all lanes in view: nobody can scroll on a
 * projector. The size grows again only for other content or more space, and so stays
 * the same from step to step.
 */
function fit() {
  fitSide();
  const pane = element("picture");
  const count = (/** @type {string} */ names) => pane.querySelectorAll(names).length;
  const content = [count(".badge-name, .node-name"), count(".key-name"), count(".flag") > 0].join();
  const space = () => `${screen.clientWidth} × ${screen.clientHeight} ${pane.clientWidth}`;
  const fits = () => !pane.querySelector(".edge") && pane.scrollHeight <= pane.clientHeight;
  /** @param {number} says @param {number} size */
  const choose = (says, size) => {
    const same = says === chosen.says && size === chosen.size && space() === chosen.space;
    screen.dataset.says = SAYS[says];
    chosen = { space: space(), content, says, size };
    if (same) return; // a motion goes on
    pane.style.fontSize = `${SIZES[size]}rem`;
    picture.resize();
  };
  if (content !== chosen.content || space() !== chosen.space) choose(0, 0);
  while (!fits() && chosen.says < SAYS.length - 1) choose(chosen.says + 1, 0);
  while (!fits() && chosen.size < SIZES.length - 1) choose(chosen.says, chosen.size + 1);
  if (!changed) return;
  changed = false;
  picture.resize();
  picture.hold();
}

/** How much of the wall a poll or an exercise has, and how large its letters are: 24 px or more on a projector of 1280 × 720, but for the last two. */
const SIDES = ["huge", "large", "medium", "wide", "wider", "full", "small", "tiny"];

/** Gives the poll or the exercise more room, and at last smaller letters, until all of it is in view. */
function fitSide() {
  const side = /** @type {HTMLElement | null} */ (document.querySelector(".screen-side"));
  if (!side) return;
  for (let i = SIDES.indexOf(side.dataset.size ?? "") + 1; i < SIDES.length && side.scrollHeight > side.clientHeight; i++) side.dataset.size = SIDES[i];
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
