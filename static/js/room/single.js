/**
 * The presenter's strip above the wall, on a screen that the class sees: it leads the class and moves the run, and
 * the wall below it follows as every wall does.
 */

import { element } from "../lib/element.js";
import { backward, forward, placeOf } from "../phone/cursor.js";
import { morph } from "../run/panels.js";
import { fieldsOf, room } from "./connection.js";
import "./screen.js";
import { showTimer } from "./timer.js";

/** @type {import("./connection.js").Begin} */
const begin = JSON.parse(element("room-data").textContent ?? "");
const box = element("room-box");
const refusal = element("refusal");

/** The driver's position, as the server told it; -1: the end. */
let told = begin.at;
/** The same position once all presses are answered. */
let cursor = told;

const server = room(begin, "single", element("connection").textContent ?? "", {
  onPanels: show,
  onRoom(message) {
    morph(message.panels);
    showTimer();
    element("moves").hidden = message.over !== "";
    told = message.at;
    if (!server.busy()) cursor = told; // or it is the echo of an earlier press
    show();
  },
  onSeat({ lost, may, state }) {
    box.dataset.may = may;
    box.dataset.state = state;
    if (lost !== box.dataset.lost) location.reload(); // the page says so
  },
  onRefusal(text) {
    refusal.textContent = text;
    refusal.hidden = text === "";
    if (text) cursor = told;
    show();
  },
  onIdle() {
    cursor = told;
    show();
  },
  onConnection() {}, // the wall says so
  onRun() {
    cursor = told = -1;
  },
});

function show() {
  const { at, tip } = placeOf(cursor, server.actions());
  element("place").textContent = `${at} / ${tip}`;
}

/** @param {number} at */
function look(at) {
  const to = at < server.actions() ? at : -1;
  if (!server.ask({ verb: "cursor", at: String(to) })) return;
  cursor = to; // the next press need not wait for the answer
  show();
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.getAttribute("action") !== `${begin.base}${begin.path}/do`) return;
  event.preventDefault();
  server.ask(fieldsOf(form, event.submitter));
});

document.addEventListener("click", ({ target }) => {
  const pressed = target instanceof Element ? target.closest("button, .screen-black") : null;
  const where = () => placeOf(cursor, server.actions());
  if (pressed?.id === "step") server.press(() => (where().end ? server.schedule() : look(forward(where()))));
  if (pressed?.id === "back") server.press(() => look(backward(where())));
  const { press = "" } = pressed instanceof HTMLElement ? pressed.dataset : {};
  if (press) document.getElementById(press)?.click(); // the wall's own, in a bar that the strip stands for
  if (pressed?.matches(".screen-black")) server.ask({ verb: "black" });
});

document.addEventListener("keydown", (event) => {
  const drawer = event.key === "Escape" && event.target instanceof Element ? event.target.closest(".strip-drawer[open]") : null;
  if (drawer) {
    drawer.removeAttribute("open");
    drawer.querySelector("summary")?.focus();
  }
  // A presentation remote sends F5 to begin the show.
  if (event.key !== "F5" || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (!event.repeat) document.getElementById("full")?.click();
});
