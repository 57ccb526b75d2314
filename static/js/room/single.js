/**
 * The presenter's strip above the wall, on a screen that the class sees: it leads the class and moves the run, and
 * the wall below it follows as every wall does.
 */

import { element } from "../lib/element.js";
import { driver } from "../phone/driver.js";
import { morph } from "../run/panels.js";
import { fieldsOf, room } from "./connection.js";
import { showControls } from "./controls.js";
import "./screen.js";
import { showTimer } from "./timer.js";

/** @type {import("./connection.js").Begin} */
const begin = JSON.parse(element("room-data").textContent ?? "");
const box = element("room-box");
const refusal = element("refusal");

const server = room(begin, "single", element("connection").textContent ?? "", {
  onPanels: show,
  onRoom(message) {
    morph(message.panels);
    showControls(box, box.dataset.may ?? "");
    showTimer();
    element("moves").hidden = message.over !== "";
    lead.hear(message.at);
  },
  onSeat({ lost, may, state }) {
    box.dataset.may = may;
    showControls(box, may);
    box.dataset.state = state;
    if (lost !== box.dataset.lost) location.reload(); // the page says so
  },
  onRefusal(text) {
    refusal.textContent = text;
    refusal.hidden = text === "";
    if (text) lead.settle();
  },
  onIdle: () => lead.settle(),
  onConnection() {}, // the wall says so
  onRun: () => lead.begin(),
});

const lead = driver(begin.at, () => server, show);

function show() {
  const { at, tip } = lead.place();
  element("place").textContent = `${at} / ${tip}`;
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.getAttribute("action") !== `${begin.base}${begin.path}/do`) return;
  event.preventDefault();
  server.ask(fieldsOf(form, event.submitter));
});

document.addEventListener("click", ({ target }) => {
  const pressed = target instanceof Element ? target.closest("button, .screen-black") : null;
  if (pressed?.id === "step") lead.step();
  if (pressed?.id === "back") lead.back();
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
