/**
 * The page of a run. It shows the run at a position, as panels, picture and list,
 * and hands the run to the modules beside them. Without a socket the past can
 * still be played; without scripts every form works by itself.
 *
 * The file has more than 400 lines, because it is where the modules of the page meet: what one reports, others show.
 */

import { element } from "../lib/element.js";
import { framed, named, placed } from "../lib/framed.js";
import { fullScreen } from "../lib/fullscreen.js";
import { sent } from "../lib/sent.js";
import { text } from "../lib/text.js";
import { savePanes, restorePanes } from "../lib/panes.js";
import { early } from "../share/early.js";
import { help } from "../site/help.js";
import { keys } from "../site/keys.js";
import { otherLanguage } from "../site/language.js";
import { settings, speed } from "../site/settings.js";
import { drawers } from "../stage/drawers.js";
import { laneTools } from "../stage/lane-tools.js";
import { stage } from "../stage/stage.js";
import { sound } from "../sound/sound.js";
import { downHere } from "../timeline/downwards.js";
import { coarse } from "../timeline/parts/coarse.js";
import { minimap } from "../timeline/minimap.js";
import { complete, playhead } from "../trace/log.js";
import { nextViolation } from "../trace/violations.js";
import { backfill } from "./backfill.js";
import { goToForm } from "./go-to.js";
import { list } from "./list.js";
import { lookahead } from "./lookahead.js";
import { morph } from "./panels.js";
import { player } from "./player.js";
import { program } from "./program.js";
import { run as runOf } from "./run.js";
import { search } from "./search.js";
import { speech } from "./speech.js";

/** @typedef {import("../trace/state.js").Event} Event */

/** @type {{version: number, lang: "en" | "zh", base: string, run: string, path: string, step: number, log: import("./socket.js").Stretch, timeline: import("../timeline/layout.js").Words, words: Record<string, string>, beside?: import("./compare.js").Beside, task?: string, draft?: string}} */
const begin = JSON.parse(element("run-data").textContent ?? "");
const { lang, words, base } = begin;
// Few pages compare, have a task or stand in a room: only they load the script.
const taskBox = document.getElementById("task-box");
const roomBox = document.getElementById("room-box");
const [comparing, tasks, rooms] = await Promise.all([
  begin.beside && import("./compare.js"), taskBox && import("../course/task.js"), roomBox && import("../room/room.js"), downHere(),
]);

const run = runOf(begin, { lost: element("connection").textContent ?? "", scheduler: () => play.choice() });

/** The panels that tell what has happened: they follow the picture. */
const WORDS = ["task", "caption", "alerts", "why", "limit"];

/** The token that was pressed last, by the event that sent it. */
let token = 0;

/** The console. Few readers type a command: only they load its script, and what it says of commands. @type {ReturnType<typeof import("../console/console.js").console> | undefined} */
let typed;
/** @type {Promise<void> | undefined} */
let typing;

/** Whether the page has been connected. */
let met = false;

/** Whether the picture is on its way to the position. */
let moving = false;

/** The position at which the code shows who moved last. After that, the reader may look at another program. */
let followed = -1;

/** How long the page says that no violation follows, ms. */
const HARMLESS_MS = 6000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let harmless;

/** After this long without an answer the old panels are marked as of another position, ms. */
const LATE = 500;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let late;

/** The position that the panels on the page tell of. */
let told = begin.step;

const box = element("timeline-box");
const picture = stage(box, {
  lang, words: begin.timeline, coarse, opensWhole: !begin.beside, minimap, paired: Boolean(begin.beside), tools: begin.beside ? null : element("lane-tools"), laneTools,
  onSelect: (seq) => select(seq, true),
  onArrive: arrive,
  onPass: sound().pass,
  onSeek(seq, done) {
    const to = run.log.events[seq - 1]?.action ?? 0;
    if (done) run.go(to);
    else beside?.seek(to);
  },
  onToken: press,
  leads: () => tasks?.opening() ?? "",
});
const loading = element("loading");
const beside = begin.beside && comparing?.compare(document.body, {
  beside: begin.beside, lang, base, drawing: begin.timeline, stage, backfill, first: { box, picture }, onGo: run.go, onMore: show,
});
const twin = list(document.body, { lang });
const scrubber = /** @type {HTMLInputElement} */ (element("position"));
const play = player(element("play-controls"), { words, advance: run.advance, onSpeed: pace });
const code = program(lang);
const foresight = lookahead(document.getElementById("ahead"), { address: named(`${base}${begin.path}/ahead?lang=${lang}${begin.draft ? `&${begin.draft}` : ""}`), words, onDo: run.act });

const opened = drawers(document, {
  first: document.querySelector("#own[open]") ? "code" : "", // a mistake in the reader's program is there
  keeps: !(document.getElementById("remarks") || taskBox || roomBox || begin.beside || framed() || document.documentElement.dataset.mode === "projector"),
  changed() {
    picture.resize();
    twin.bring();
    follow();
    type();
  },
});

help(document, lang);
otherLanguage(document, () => {
  code.keep();
  savePanes();
  return { step: run.position < run.tip ? String(run.position) : undefined };
});
fullScreen(document);
const finder = search(element("events"), { lang, words, list: twin, onSelect: (seq) => select(seq, true) });
goToForm(/** @type {HTMLDetailsElement} */ (element("go")), run);
const voice = speech(document, { lang, words, position: run.position });
settings(document, {
  changed() {
    picture.resize();
    play.speed(speed(document));
    voice.refresh();
  },
});
const shortcuts = keys(document, play.held);
element("scrubber").hidden = false;
scrubber.addEventListener("input", () => run.go(Number(scrubber.value)));

document.getElementById("anew")?.parentElement?.addEventListener("toggle", () => import("./anew.js"), { once: true });

// Few readers share a run, or drop one here: only they load the script.
const sharing = document.getElementById("share"); // in a frame there is none
sharing?.addEventListener("toggle", early(() => import("../share/share.js").then(({ share }) => share(sharing, run, picture.whole))), { once: true });
// A room begins where the reader is, also before that script has come, and is shown what the reader sees.
for (const form of [sharing, ...document.querySelectorAll("[data-class-show]")]) {
  form?.addEventListener("submit", ({ target }) => {
    const at = /** @type {HTMLFormElement} */ (target).elements.namedItem("at");
    if (at instanceof HTMLInputElement) at.value = String(run.position);
  });
}

// What the run tells

run.on("show", show);
run.on("move", () => {
  why(0);
  withdraw(words.harmless);
});
run.on("view", () => {
  showPanels();
  foresight.mark();
  shortcuts.refresh();
});
run.on("panels", morph);
run.on("stop", play.stop);
run.on("stop", code.unpin);
run.on("refuse", refuse);
run.on("withdraw", withdraw);
run.on("error", (refusal, about, told) => {
  if (about === "program") code.refuse(refusal);
  else if (!told) refuse(refusal.text);
  if (refusal.code === "limit") element("limit").hidden = false;
});
run.on("connection", (connected) => {
  met ||= connected;
  element("connection").hidden = connected;
  foresight.connected(connected);
});
run.on("idle", () => pressed.clear());
run.on("made", () => {
  const address = `${base}${begin.path}`;
  history.replaceState(history.state, "", placed(base, begin.path + location.hash)); // a reload stays in the run
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[hreflang]"))) {
    link.href = `${address}?lang=${new URL(link.href).searchParams.get("lang")}`;
  }
  for (const back of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[name=back]"))) back.value = begin.path;
});
run.on("reload", () => location.reload());
run.on("branch", ({ run: id, at, omitted }) => {
  addEventListener("pageshow", (event) => event.persisted && location.reload()); // a page from the browser's cache is out of date
  if (at >= 0) code.keep();
  else code.close(); // it runs now
  savePanes();
  const query = new URLSearchParams();
  if (at < 0) query.set("beside", begin.run); // the same schedule again, to compare
  if (omitted) query.set("omitted", String(omitted));
  location.assign(placed(base, `/t/${id}${at < 0 ? `?${query}` : ""}`));
});

/** A token is pressed for a button that nobody sees. */
const pressed = sent(element("connection").dataset, run.busy, (button) => box.querySelector(`[data-token="${token} waiting"]`) ?? button.closest(".client") ?? (button.closest("#moves") && document.getElementById("undo")), () => met);
document.addEventListener("submit", ({ submitter }) => pressed.press(submitter));

if (begin.draft) foresight.connected(true); // the server looks ahead in a draft, too
const lesson = taskBox ? tasks?.task(taskBox, run, { finish: picture.finish, words }) : undefined;
if (roomBox) rooms?.room(roomBox, run);
run.go(run.position);
restorePanes();
addEventListener("hashchange", toHash);
toHash();

// What the reader does

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  const target = form.getAttribute("action") ?? ""; // form.action may be a field of that name
  if (!target.startsWith(`${base}${begin.path}/`)) return; // not about this run
  const [place] = target.split("?");
  if (/\/(forks|lesson|claims)$/.test(place)) return; // it leads to another run, or is the lesson's
  event.preventDefault(); // a post without a server to answer would lose the page
  if (form.id === "undo-form") return undo(form);
  // The panels may still show another position: then only the server knows what can be done here.
  if (button?.getAttribute("aria-disabled") === "true" && (form.id === "moves" || run.settled)) {
    if (form.id !== "moves" && button.title) refuse(button.title); // where to go nowhere needs no words
    return;
  }
  const { action = "", at, past, ...fields } = Object.fromEntries([...new FormData(form, button)].map(([name, value]) => [name, String(value)]));
  if (form.id === "moves") return move(action);
  if (!place.endsWith("/reruns")) return run.act(action, fields);
  const { from = "", program = "", source = "" } = fields;
  run.rerun({ from, program, source: source.replaceAll("\r\n", "\n") });
});

/** Takes the last action of a challenge back, and none of those before it. @param {HTMLFormElement} form */
function undo(form) {
  const { begins = "0", none = "" } = form.dataset;
  run.undo(Number(begins), (possible) => refuse(possible ? "" : none));
}

/** @param {string} action */
function move(action) {
  switch (action) {
    case "first":
      return run.go(0);
    case "back":
      return run.go(run.position - 1);
    case "last":
      return run.go(run.tip);
    case "violation":
      return goToViolation();
  }
  run.step();
}

/** Goes to where the next violation begins. */
function goToViolation() {
  const event = nextViolation(run.log.events, run.position);
  if (!event && !complete(run.log)) return void run.whole().then(goToViolation);
  refuse(event ? "" : words.harmless);
  clearTimeout(harmless);
  if (!event) return void (harmless = setTimeout(withdraw, HARMLESS_MS, words.harmless));
  run.go(event.action);
  select(event.seq, true);
}

/**
 * Presses the button that does what a token stands for. A command of a life that is over is delivered by itself.
 * @param {import("../timeline/shapes.js").Token} token
 */
function press({ client, seq }) {
  token = seq;
  const over = run.log.events.slice(seq, playhead(run.log.events, run.position)).some(({ lane, kind }) => lane === client && kind === "crash");
  document.getElementById(`${over ? "deliver" : "step"}-${client}`)?.click();
}

/** @param {number} factor  pictures move that many times as fast */
function pace(factor) {
  picture.speed(factor);
  beside?.speed(factor);
}

// The run at a position

function show() {
  const { position, tip } = run;
  if (run.reached) draw();
  element("picture").classList.toggle("unknown", !run.reached);
  tellMissing();
  scrubber.max = String(tip);
  scrubber.value = String(position);
  element("position-text").textContent = words.position.replace("{at}", String(position)).replace("{tip}", String(tip));
  disable("first", position === 0);
  disable("back", position === 0);
  disable("last", position === tip);
  document.body.classList.toggle("past", position < tip);
  showPanels();
  foresight.show(position);
  code.show();
  shortcuts.refresh();
}

/** Draws what has happened here. */
function draw() {
  const { log, position } = run;
  const head = playhead(log.events, position);
  moving = !beside || (complete(log) && complete(beside.log)); // the picture says when it has arrived, at once or in time
  if (!beside) picture.show(log.events, { playhead: head });
  else if (moving) beside.show(log.events, position);
  twin.show(log.events, head);
  finder.refresh(log.events);
  typed?.show(log.events, head);
}

/** Loads the console where its drawer is open. Until then its form works as others do. */
function type() {
  if (typing || element("drawer-console").hasAttribute("data-closed")) return;
  const address = `${base}/commands?lang=${lang}`;
  typing = Promise.all([import("../console/console.js"), text(address)]).then(([{ console }, help]) => {
    typed = console(element("console"), { help: JSON.parse(help), send: run.outcome });
    typed.show(run.log.events, playhead(run.log.events, run.position));
  });
  typing.catch(() => (typing = undefined)); // the next time asks again
}

/** Says how much of the log has come, until all of it has. */
function tellMissing() {
  const all = beside ? [run.log, beside.log] : [run.log];
  loading.hidden = all.every(complete);
  if (loading.hidden) return;
  const [n, of] = [all.reduce((sum, { events }) => sum + events.length, 0), all.reduce((sum, { total }) => sum + total, 0)];
  loading.textContent = words.loading.replace("{n}", String(n)).replace("{all}", String(of));
  run.whole();
  beside?.whole();
}

/** The picture has come to the position: now the words may say what happened. @param {number} seq  of the last event */
function arrive(seq) {
  if (seq !== playhead(run.log.events, run.position)) return; // it is on its way to another one already
  moving = false;
  lesson?.arrive();
  play.arrived();
  beside?.arrive();
  voice.say(run.log.events, run.position);
  showPanels();
}

/** Shows the panels of the position; where they stay unknown for a while the old ones are marked as of another position. */
function showPanels() {
  const panels = run.panels();
  clearTimeout(late);
  if (!panels && run.position !== told) {
    late = setTimeout(() => document.body.classList.add("awaited"), LATE);
    return;
  }
  document.body.classList.remove("awaited");
  if (!panels) return;
  told = run.position;
  morph(moving ? Object.fromEntries(Object.entries(panels).filter(([id]) => !WORDS.includes(id))) : panels);
  disable("step", run.position === run.tip && element("empty").matches(":not([hidden], .begins)")); // nobody could step
  if (followed === run.position) return;
  followed = run.position;
  follow();
}

/** Shows the code of the client that moved last. */
function follow() {
  code.follow(movers());
}

/** Lists the lanes of the events so far, the last one first. */
function* movers() {
  const { log, position } = run;
  for (let i = playhead(log.events, position) - 1; i >= 0; i--) yield log.events[i]?.lane ?? "";
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
  if (!marked || marked.closest(".timeline-box")) return; // the picture selects by itself
  if (target.closest("a")) event.preventDefault(); // the link is for those without scripts
  select(Number(marked.getAttribute("data-seq")), !marked.closest(".rows"));
});

/**
 * Selects an event in the picture, in the list, on the wire, and its line of code.
 * @param {number} seq
 * @param {boolean} inView  its row is brought into view
 */
function select(seq, inView) {
  const { log } = run;
  if (seq > log.total) return;
  if (!run.reached || seq > log.events.length) return void run.whole().then(() => select(seq, inView));
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
  if (seq && !complete(run.log)) return void run.whole().then(() => why(seq));
  picture.explain(seq);
  if (seq) {
    opened.open("code"); // the guilty line is there
    select(seq, true);
  }
  for (const link of document.querySelectorAll("[data-why]")) {
    if (link.getAttribute("data-why") === String(seq)) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** Selects the event that the address names: the number of a row leads to it. */
function toHash() {
  const [, seq] = /^#event-(\d+)$/.exec(location.hash) ?? [];
  if (seq) select(Number(seq), true);
}

/** Returns the line of code of an event: the line that sent its command.
 * @param {Event} event
 */
function lineOf(event) {
  const client = event.call?.client ?? event.lane;
  const { log } = run;
  const spawned = log.events.find((e) => e.lane === client && e.kind === "spawn");
  const sent = event.call ? log.events.find((e) => e.kind === "send" && e.call?.id === event.call?.id) : event;
  const program = spawned?.spawned?.program;
  return program && sent?.line ? { program, number: sent.line } : undefined;
}

/** @param {string} sentence  why a request was refused; empty: it was not */
function refuse(sentence) {
  const note = element("refusal");
  note.textContent = sentence;
  note.hidden = sentence === "";
}

/** Takes a refusal back that is out of date. @param {string} sentence */
function withdraw(sentence) {
  if (element("refusal").textContent === sentence) refuse("");
}
