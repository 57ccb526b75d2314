/**
 * The page of a run: carries what the reader does to the socket, and what the
 * server tells into the panels, the picture and the list of events. Without a
 * socket every form still works by itself.
 */

import { Idiomorph } from "../vendor/idiomorph/idiomorph.esm.js";
import { follow, live } from "./live.js";
import { timeline } from "./timeline/timeline.js";

/**
 * @typedef {import("./live.js").Message} Message
 * @typedef {import("./live.js").Refusal} Refusal
 * @typedef {import("./store.js").Event} Event
 */

/** @type {{version: number, lang: "en" | "zh", path: string, actions: number, events: Event[], timeline: import("./timeline/layout.js").Words, forgotten: string}} */
const begin = JSON.parse(element("run-data").textContent ?? "");
const { lang, path } = begin;

/** @type {import("./live.js").Log} */
let log = { actions: begin.actions, events: begin.events };

const rows = element("event-rows");
const box = /** @type {HTMLElement} */ (document.querySelector("[data-timeline-root]"));
const picture = timeline(box, { lang, words: begin.timeline, onSelect: (seq) => select(seq, true) });

/** Ids of requests: nobody else's among those who watch this run. */
const me = Math.random().toString(36).slice(2, 8);
let requests = 0;
/** @type {Map<string, "action" | "program">} what waits for an answer */
const pending = new Map();
/** @type {(() => void)[]} what the reader has pressed meanwhile, in order */
const pressed = [];

const scheme = location.protocol === "https:" ? "wss:" : "ws:";
const socket = live(`${scheme}//${location.host}${path}/live?lang=${lang}`, {
  onMessage: receive,
  onConnection(connected) {
    element("connection").hidden = connected;
    if (connected) return;
    pending.clear();
    pressed.length = 0;
  },
});

show();
scrollToEnd();
chooseSource();

// What the reader does

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  event.preventDefault(); // posting the form would lose the page where there is no server to answer
  if (button?.getAttribute("aria-disabled") === "true") {
    refuse(button.title);
    return;
  }
  const own = form.id === "own-form";
  const line = own ? "" : lineOf(new FormData(form, button));
  pressed.push(() => (own ? define(form) : act(line)));
  next();
});

/** Asks for what was pressed next, once the answer to the last is there: it acts on what that has led to. */
function next() {
  if (pending.size === 0) pressed.shift()?.();
}

element("program").addEventListener("change", chooseSource);

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const marked = target.closest("[data-seq]");
  if (!marked || box.contains(marked)) return;
  if (target.closest("a")) event.preventDefault(); // the link is for those without scripts
  select(Number(marked.getAttribute("data-seq")), !rows.contains(marked));
});

/**
 * Joins the fields of a form into a line of scenario text, as the server does
 * with a form that is posted (lineOf in web/page.go).
 * @param {FormData} data
 */
function lineOf(data) {
  let line = String(data.get("action") ?? "");
  if (!line.startsWith("spawn ")) return line;
  line += ` ${data.get("program") ?? ""}`;
  for (const option of ["timeout", "retry", "skew", "blocking"]) {
    const value = String(data.get(option) ?? "").trim();
    if (value) line += ` ${option}=${value}`;
  }
  return line;
}

/** @param {string} line */
function act(line) {
  if (line === "undo" || line === "reset") return ask({ type: line, at: log.actions }, "action");
  return ask({ type: "act", at: log.actions, action: line }, "action");
}

/** @param {HTMLFormElement} form */
function define(form) {
  const data = new FormData(form);
  return ask({ type: "define", name: data.get("name"), source: String(data.get("source")).replaceAll("\r\n", "\n") }, "program");
}

/**
 * @param {object} message
 * @param {"action" | "program"} about
 */
function ask(message, about) {
  const id = `${me}-${++requests}`;
  if (socket.send({ ...message, id })) pending.set(id, about);
  else refuse(element("connection").textContent ?? "");
}

// What the server tells

/** @param {Message} message */
function receive(message) {
  const about = pending.get(message.type === "hello" ? "" : (message.id ?? ""));
  if (message.type === "error") {
    pending.delete(message.id ?? "");
    pressed.length = 0;
    if (about === "program") refuseProgram(message);
    else refuse(message.text);
    return;
  }
  if (message.type !== "hello" && about) {
    pending.delete(message.id ?? "");
    refuse("");
  }
  if (message.type === "hello") {
    // The past may be another one now.
    if (message.events.length < log.events.length) refuse(begin.forgotten);
    else if (element("refusal").textContent === element("connection").textContent) refuse("");
    rows.replaceChildren();
  }
  if (message.type !== "events") select(0, false);
  log = follow(log, message);
  morph(message.panels);
  if (about === "program") acceptProgram();
  show();
  next();
}

/**
 * Brings the panels up to date. What the reader has opened, chosen or focused stays.
 * @param {Record<string, string>} panels
 */
function morph(panels) {
  const program = /** @type {HTMLSelectElement} */ (element("program"));
  const chosen = program.value;
  for (const [id, html] of Object.entries(panels)) {
    Idiomorph.morph(element(id), html, {
      callbacks: { beforeAttributeUpdated: (name, node) => !(name === "open" && node.tagName === "DETAILS") },
    });
  }
  if (panels.program) program.value = chosen;
  if (panels.sources) chooseSource();
}

/** The picture and its twin, the list. */
function show() {
  picture.show(log.events);
  const kept = [...rows.children].filter((row, i) => Number(row.getAttribute("data-seq")) === log.events[i]?.seq);
  if (kept.length < rows.children.length) rows.replaceChildren(...kept);
  const fresh = log.events.slice(kept.length);
  rows.append(...fresh.map(rowOf));
  if (fresh.length > 0) scrollToEnd();
}

/** @param {Event} event */
function rowOf(event) {
  const pattern = /** @type {HTMLTemplateElement} */ (element("event-row"));
  const row = /** @type {HTMLElement} */ (/** @type {DocumentFragment} */ (pattern.content.cloneNode(true)).firstElementChild);
  row.setAttribute("data-seq", String(event.seq));
  row.classList.toggle("violation", event.kind === "violation");
  const link = /** @type {HTMLAnchorElement} */ (row.querySelector(".seq a"));
  link.id = `event-${event.seq}`;
  link.href = `#event-${event.seq}`;
  link.textContent = String(event.seq);
  fill(row, ".time", String(event.time / 1000));
  fill(row, ".lane", event.lane ?? "");
  fill(row, ".sentence", event.sentence[lang]);
  return row;
}

/** @param {Element} row @param {string} selector @param {string} text */
function fill(row, selector, text) {
  const cell = row.querySelector(selector);
  if (cell) cell.textContent = text;
}

function scrollToEnd() {
  const pane = rows.closest(".rows");
  if (pane) pane.scrollTop = pane.scrollHeight;
}

/**
 * Selects an event in the picture and in the list.
 * @param {number} seq
 * @param {boolean} reveal  its row is brought into view
 */
function select(seq, reveal) {
  picture.select(seq);
  for (const row of rows.children) {
    const selected = Number(row.getAttribute("data-seq")) === seq;
    row.classList.toggle("selected", selected);
    if (selected && reveal) row.scrollIntoView({ block: "nearest" });
  }
}

// The program that is read, and the reader's own

function chooseSource() {
  const { value } = /** @type {HTMLSelectElement} */ (element("program"));
  for (const section of document.querySelectorAll("[data-source]")) {
    section.toggleAttribute("hidden", section.getAttribute("data-source") !== value);
  }
}

function acceptProgram() {
  element("own-error").textContent = "";
  /** @type {HTMLSelectElement} */ (element("program")).value = /** @type {HTMLInputElement} */ (element("own-name")).value;
  chooseSource();
}

/** Says what is wrong with the program, and puts the cursor there.
 * @param {Refusal} refusal
 */
function refuseProgram({ text, line, column }) {
  element("own-error").textContent = text;
  const area = /** @type {HTMLTextAreaElement} */ (element("own-source"));
  if (!line) return;
  const before = area.value.split("\n").slice(0, line - 1).join("\n").length;
  const at = before + (line > 1 ? 1 : 0) + Math.max(0, (column ?? 1) - 1);
  area.focus();
  area.setSelectionRange(at, at);
}

/** @param {string} sentence  why what was asked for has not been done; empty: it has */
function refuse(sentence) {
  const note = element("refusal");
  note.textContent = sentence;
  note.hidden = sentence === "";
}

/** @param {string} id @returns {HTMLElement} */
function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}
