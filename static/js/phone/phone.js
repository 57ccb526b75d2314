/**
 * The page of a participant: their client, their actions, and the room's
 * questions. Without scripts every form works by itself. The join page loads the same
 * file ahead.
 */

import { element } from "../lib/element.js";
import { morph } from "../run/panels.js";
import { lateChip } from "./chip.js";
import { joinAtOnce } from "./join.js";
import { sent } from "../lib/sent.js";
import { toast } from "../lib/toast.js";
import { markOwn } from "./own.js";
import { fieldsOf, room } from "../room/connection.js";
import { hearTimer, showTimer } from "../room/timer.js";

/**
 * @typedef {import("../room/connection.js").Begin} Begin
 * @typedef {import("../room/connection.js").Seat} Seat
 */

const join = document.getElementById("join");
if (join instanceof HTMLFormElement) joinAtOnce(join);
if (document.getElementById("phone")) phone();

function phone() {
  /** @type {Begin} */
  const begin = JSON.parse(element("room-data").textContent ?? "");
  const say = toast(element("note"));
  /** The reader's seat, as the server last told it. @type {Seat | undefined} */
  let told;
  /** The vote on its way; -1: none. */
  let voting = -1;
  /** The reader goes to their own run as soon as it exists. */
  let leaving = false;

  /** What the room has asked and given, with its phase; undefined: the page has heard nothing yet. @type {Set<string> | undefined} */
  let brought;

  /** Where the driver looks; -1: the end. */
  let at = begin.at;

  /** The room is over. */
  let over = element("part").hidden;

  const server = room(begin, "phone", element("connection").textContent ?? "", {
    onPanels(panels) {
      morph(panels);
      personal();
      earlier();
    },
    onRoom(message) {
      at = message.at;
      const exercised = document.getElementById("exercise") !== null;
      morph(message.panels);
      showTimer();
      const { dataset } = element("room");
      ask("free", "free" in dataset);
      ask("roster", "roster" in dataset);
      element("who").hidden = !("free" in dataset || "roster" in dataset);
      over = message.over !== "";
      end(exercised);
      personal();
      announce();
      bring();
      earlier();
    },
    onSeat(message) {
      if (message.lost) return location.assign(begin.base + begin.path); // the page that says so
      told = message;
      voting = -1;
      personal();
      bring();
      if (leaving && message.own) location.assign(begin.base + message.own);
    },
    onTimer: hearTimer,
    onRefusal(text) {
      voting = -1;
      leaving = false;
      personal();
      say(text);
    },
    onConnection: lateChip(element("connection")),
    onIdle: () => pressed.clear(),
    onRun(run) {
      for (const link of document.querySelectorAll("a[data-run]")) link.setAttribute("href", begin.base + run);
    },
  });

  const pressed = sent(element("connection").dataset, server.busy);

  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    const target = form.getAttribute("action") ?? "";
    if (!/\/(actions|do)$/.test(target)) return;
    event.preventDefault();
    if (button?.getAttribute("aria-disabled") === "true") return say(button.title);
    pressed.press(button);
    const fields = fieldsOf(form, button);
    if (target.endsWith("/actions")) return server.act(fields.action, () => possible(fields.action));
    if (!server.ask(fields)) return;
    if (fields.verb === "vote") voting = Number(fields.choice);
    if (fields.verb === "own") leaving = true;
    if (fields.verb === "name") /** @type {HTMLDetailsElement} */ (element("who")).open = false;
    personal();
  });

  /** Reports whether an action that was pressed before an answer came is still possible. @param {string} action */
  function possible(action) {
    const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('#lane button:not([aria-disabled="true"])'));
    return [...buttons].some((button) => button.value === action);
  }

  /** Shows what is the reader's own, once the server has told it. */
  function personal() {
    if (!told) return;
    const here = told.seat > 0;
    element("me").textContent = told.name;
    element("rejoin").hidden = here || over;
    element("driving").hidden = !told.driving || over;
    element("part").hidden = !here || over;
    for (const role of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#lane [data-role]"))) {
      role.hidden = (role.dataset.role === "network") !== told.network;
    }
    markOwn(element("room"), voting < 0 ? told : { ...told, vote: voting }, begin.base);
  }

  /** The wall shows an earlier moment than the run's end: it would tell a spectator what comes. A client acts at the end, and sees it. */
  function earlier() {
    const behind = at >= 0 && at < server.actions() && !told?.lane;
    element("phone").toggleAttribute("data-earlier", behind);
    element("earlier").hidden = !behind || over;
  }

  /** Says that the exercise is over, until something else goes on. @param {boolean} exercised  one went on until now */
  function end(exercised) {
    const box = element("ended");
    const ended = exercised && !over && !document.getElementById("exercise");
    if (ended) box.textContent = box.dataset.says ?? "";
    if (ended || over || document.querySelector("#poll, #exercise, #room-test")) box.hidden = !ended;
  }

  /** Brings into view what is new of what the room asks and gives: the reader may have scrolled to an answer. */
  function bring() {
    const parts = [...document.querySelectorAll("#ended, #driving, #poll, #exercise, #room-test, #take-home")].filter((part) => part.checkVisibility());
    const now = new Map(parts.map((part) => [`${part.id} ${part.getAttribute("data-phase")}`, part]));
    const fresh = [...now].find(([what]) => brought && !brought.has(what))?.[1];
    if (fresh && fresh.getBoundingClientRect().top < 0) fresh.scrollIntoView();
    brought = new Set(now.keys());
  }

  /** @param {string} what  free or roster: what the room asks for @param {boolean} asked */
  function ask(what, asked) {
    for (const field of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[data-asked="${what}"]`))) {
      field.hidden = !asked;
      for (const input of field.querySelectorAll("input")) input.disabled = !asked;
    }
  }

  /** Has a screen reader speak a new question, each of its phases, and its answer. */
  function announce() {
    const poll = document.getElementById("poll");
    const texts = poll ? [".phase > :not([hidden])", poll.dataset.phase === "revealed" ? ".result .mine:not([hidden])" : "h2"].map((part) => poll.querySelector(part)) : [];
    const text = texts.map((part) => part?.textContent.trim() ?? "").join(" ");
    if (element("asked").textContent !== text) element("asked").textContent = text;
  }
}
