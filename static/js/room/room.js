/**
 * The page of a run that is in a room. It follows the driver, or tells the others where the
 * driver looks; it sends the forms of the room over the socket of the page, and marks
 * in the room's panel, which is the same for many, what is the reader's own.
 *
 * It is apart from page.js, which hands on what the server says of the room
 * ("told"), and listens for what is to be asked ("ask") and where to go ("go").
 */

import { element } from "../lib/element.js";
import { people } from "./people.js";
import { END, standing } from "./standing.js";
import { view } from "./view.js";

/** A driver who moves on at once has not looked here, ms. */
const SETTLE_MS = 150;

/** Whoever has made a branch is led there by its answer; only those who have not go by themselves, ms. */
const LED_MS = 600;

const box = element("room-box");
const { base = "", path = "", run = "", shown = "", seat, state } = box.dataset;
const presenter = box.classList.contains("presenting");
const scrubber = /** @type {HTMLInputElement} */ (element("position"));
const position = () => Number(scrubber.value);
const tip = () => Number(scrubber.max);
const here = standing({
  run,
  shown,
  presenter,
  seat: Number(seat),
  owner: !presenter && state !== "drives" && box.dataset.watching === undefined,
  apart: new URLSearchParams(location.search).has("step"),
});

/** The reader's vote in this round; -1: none; undefined: the page as it came says it. @type {number | undefined} */
let vote;
/** The path of the reader's own run; empty: they have none, or nobody has said so yet. */
let own = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let settling;
/** What the server knows of whether the reader is away. */
let away = false;

const panel = presenter ? view(box) : undefined;
const list = presenter ? people(box) : undefined;

document.addEventListener("told", (event) => {
  const message = /** @type {CustomEvent<import("../run/socket.js").Message>} */ (event).detail;
  if (message.type === "hello") away = false; // a new socket is nobody yet
  if (message.type === "seat") {
    here.sit(message.seat);
    vote = message.vote;
    box.dataset.seat = String(message.seat);
    box.dataset.lane = message.lane;
    lose(message.lost);
    own = message.own;
  }
  if (message.type === "room") {
    box.toggleAttribute("data-black", message.black);
    box.toggleAttribute("data-locked", message.locked);
    go(here.hear(message));
    settleSoon();
  }
  show();
});

/** The presenter has taken the reader's seat or remote: the server's page says so. @param {string} what */
function lose(what) {
  if (what === box.dataset.lost) return;
  if (what === "remove") location.assign(`${base}${path}`);
  else location.reload();
}

/** @param {import("./standing.js").Way} way */
function go({ to, leave }) {
  if (leave) setTimeout(() => location.assign(`${base}${leave}?lang=${document.documentElement.lang.slice(0, 2)}`), here.watching ? 0 : LED_MS);
  if (to !== undefined) document.dispatchEvent(new CustomEvent("go", { detail: to === END ? tip() : to }));
}

/** The page shows a position: the reader's own choice, or what the driver led to. */
document.addEventListener("shown", () => {
  settleSoon();
  show();
});

/** Whoever drives tells where they look, once they stay there. */
function settleSoon() {
  clearTimeout(settling);
  if (here.look(position(), tip()) !== undefined) settling = setTimeout(settle, SETTLE_MS);
}

function settle() {
  const at = here.look(position(), tip());
  if (at === undefined) return;
  here.tell(at);
  ask({ verb: "cursor", at: String(at) }, () => here.untell(at)); // what it led to has been heard before
}

/** Only who drives goes beyond what has been done. */
document.addEventListener("advance", (event) => {
  if (here.watching && position() === tip()) event.preventDefault();
});

box.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (!target.closest("[data-room-back]")) return;
  event.preventDefault(); // the link is for those without scripts
  go(here.back());
});

box.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.getAttribute("action") !== `${base}${path}/do`) return; // it leads to another page
  event.preventDefault();
  const { back, ...fields } = Object.fromEntries([...new FormData(form, event.submitter)].map(([name, value]) => [name, String(value)]));
  ask(fields);
});

/** @param {Record<string, string>} fields @param {import("../run/requests.js").Told} [told] */
function ask(fields, told) {
  document.dispatchEvent(new CustomEvent("ask", { detail: { message: { type: "room", with: fields }, about: "room", told } }));
}

/** What is the reader's own, on the box and in its panel. */
function show() {
  box.dataset.state = here.state;
  box.toggleAttribute("data-watching", here.watching);
  box.toggleAttribute("data-end", position() === tip());
  panel?.refresh();
  list?.refresh();
  if (own) box.querySelector("[data-room-own]")?.setAttribute("href", `${base}${own}`);
  if (vote !== undefined) {
    for (const choice of box.querySelectorAll("#vote-form [name=choice]")) choice.setAttribute("aria-pressed", String(choice.getAttribute("value") === String(vote)));
  }
  if (away === (here.state === "away")) return;
  away = !away;
  document.dispatchEvent(new CustomEvent("ask", { detail: { message: { type: "away", away } } }));
}

// A clicker that was made for slides sends it to begin the show.
document.addEventListener("keydown", (event) => {
  if (!presenter || event.key !== "F5" || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (!event.repeat) document.getElementById("full")?.click();
});
