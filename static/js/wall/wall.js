/**
 * The wall: a tile for everybody's own run. The server says how each stands; this
 * script fetches its events when the tile is in view, and draws the picture.
 */

import { Idiomorph } from "../../vendor/idiomorph/idiomorph.esm.js";
import { element } from "../lib/element.js";
import { fieldsOf, room } from "../room/connection.js";
import { hearTimer, showTimer } from "../room/timer.js";
import { settings } from "../site/settings.js";
import { pictures } from "./pictures.js";
import { arranged, counted } from "./order.js";

/** @type {import("../room/connection.js").Begin} */
const begin = JSON.parse(element("room-data").textContent ?? "");
const { lang, base } = begin;

/** Least time between two changes of the wall, ms: of three hundred people somebody always acts. */
const BETWEEN = 300;

let filter = "all";
let by = "state";
let waiting = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;
/** The reader is among the tiles: they stay where they are. */
let held = false;

/** The last HTML of each tile. @type {Map<string, string>} */
const shown = new Map();
const drawn = pictures({ lang, address: (path) => `${base}${path}.json` });
const tiles = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#tiles > .tile")]);

const server = room(begin, "wall", element("connection").textContent ?? "", {
  onPanels() {}, // a wall shows no panels of the run
  onRoom({ panels }) {
    if (panels.room) later(panels.room);
  },
  onSeat({ lost }) {
    if (lost) location.reload(); // the page says so
  },
  onTimer: hearTimer,
  onRefusal: refuse,
  onConnection: (connected) => (element("connection").hidden = connected),
});

/** @param {string} html */
function later(html) {
  waiting = html;
  soon ??= setTimeout(() => {
    soon = undefined;
    change(waiting);
    showTimer();
  }, BETWEEN);
}

/** The attributes that the script has set stay, and so do its drawings. */
const callbacks = {
  beforeAttributeUpdated: (/** @type {string} */ name, /** @type {Element} */ node) => !(name === "aria-pressed" && node.matches("button")),
  beforeNodeMorphed: (/** @type {Node} */ node) => !(node instanceof Element && node.matches(".tile-picture")),
};

/**
 * Shows the changed room. Tiles are compared one by one: of hundreds hardly any has
 * changed, and the others stay untouched.
 * @param {string} html
 */
function change(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const next = template.content.getElementById("room");
  const [list, wanted] = [document.getElementById("tiles"), next?.querySelector("#tiles")];
  if (!next || !list || !wanted) {
    Idiomorph.morph(element("room"), html, { callbacks });
    drawn.watch(tiles());
    return arrange();
  }
  const left = new Set(shown.keys());
  for (const tile of [...wanted.children]) {
    left.delete(tile.id);
    const text = tile.outerHTML;
    if (shown.get(tile.id) === text) continue;
    shown.set(tile.id, text);
    const old = document.getElementById(tile.id);
    if (old) Idiomorph.morph(old, tile, { callbacks });
    else list.append(tile);
  }
  for (const id of left) {
    shown.delete(id);
    document.getElementById(id)?.remove();
  }
  wanted.replaceChildren();
  for (const part of [...next.children]) {
    const old = part.id && part !== wanted ? document.getElementById(part.id) : null;
    if (old) Idiomorph.morph(old, part, { callbacks });
  }
  drawn.watch(tiles());
  if (!held) arrange();
  else sift();
}

/** Puts the tiles in order. A tile in its place is not moved: it may have the focus. */
function arrange() {
  const list = document.getElementById("tiles");
  if (!list) return;
  const focus = document.activeElement;
  let at = list.firstElementChild;
  for (const tile of arranged(tiles(), by, lang, factsOf)) {
    if (tile === at) at = at.nextElementSibling;
    else list.insertBefore(tile, at);
  }
  if (focus instanceof HTMLElement && focus !== document.activeElement && list.contains(focus)) focus.focus({ preventScroll: true });
  sift();
}

/** Shows the tiles that pass the filter. */
function sift() {
  for (const tile of tiles()) tile.hidden = !counted(factsOf(tile), filter);
  for (const button of document.querySelectorAll("[data-filter]")) button.setAttribute("aria-pressed", String(button.getAttribute("data-filter") === filter));
  for (const button of document.querySelectorAll("[data-sort]")) button.setAttribute("aria-pressed", String(button.getAttribute("data-sort") === by));
}

/** A seat's number stands before its name, which alone is sorted. @param {HTMLElement} tile @returns {import("./order.js").Facts} */
function factsOf(tile) {
  const { state = "", actions, seat, solved, claims } = tile.dataset;
  return { state, actions: Number(actions), seat: Number(seat), solved: solved !== undefined, claims: Number(claims), name: (tile.querySelector("h2")?.textContent ?? "").replace(/^\s*\d+ · /, "") };
}

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("[data-filter], [data-sort]") : null;
  if (!(button instanceof HTMLElement)) return;
  filter = button.dataset.filter ?? filter;
  by = button.dataset.sort ?? by;
  arrange();
});

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.id !== "show") return;
  event.preventDefault();
  refuse("");
  server.ask(fieldsOf(form, event.submitter));
});

/** @param {boolean} is */
function hold(is) {
  held = is;
  if (!is) arrange();
}
element("room").addEventListener("pointerover", ({ target }) => {
  const among = target instanceof Element && target.closest("#tiles") !== null;
  if (among !== held) hold(among);
});
element("room").addEventListener("pointerleave", () => held && hold(false));

/** @param {string} sentence  why a request was refused; empty: it was not */
function refuse(sentence) {
  const note = element("refusal");
  note.textContent = sentence;
  note.hidden = sentence === "";
}

settings(document);
for (const tile of tiles()) shown.set(tile.id, tile.outerHTML);
drawn.watch(tiles());
arrange();
