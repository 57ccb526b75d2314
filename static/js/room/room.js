/**
 * The room on the page of its run. It follows the driver, or tells the others where
 * the driver looks. It sends the forms of the room through the run's socket. The
 * server renders one panel for many; here the reader's own parts are marked.
 */

import { showControls } from "./controls.js";
import { people } from "./people.js";
import { END, standing } from "./standing.js";
import { hearTimer, showTimer } from "./timer.js";
import { view } from "./view.js";

/** A driver who moves on within this time has not looked here, ms. */
const SETTLE_MS = 150;

/** A screen so small is a phone's: its page in the room has the reader's part, and this page has not the room for it. */
const PHONE = matchMedia("(max-width: 35rem), (max-height: 30rem) and (pointer: coarse)");

/** The answer leads the author of a branch there; the others wait this long and follow, ms. */
const LED_MS = 600;

/**
 * @param {HTMLElement} box  the room's panel, or its bar
 * @param {import("../run/run.js").Run} run
 */
export function room(box, run) {
  const { base = "", path = "", run: here = "", shown = "", state = "" } = box.dataset;
  const presenter = box.classList.contains("presenting");
  /** Reports whether the server allows the reader something. @param {string} what */
  const may = (what) => (box.dataset.may ?? "").split(" ").includes(what);
  const place = standing({
    run: here,
    shown,
    state,
    presenter,
    owner: !presenter && state !== "drives" && may("act"),
    apart: new URLSearchParams(location.search).has("step"),
    part: () => (PHONE.matches && !presenter && box.dataset.seat !== "0" ? path : ""),
  });

  /** The reader's vote in this round; -1: none; undefined: the page as it loaded says it. @type {number | undefined} */
  let vote;
  /** The path of the reader's own run; empty: they have none, or the server has not told it yet. */
  let own = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let settling;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let leaving;
  /** Whether the server knows the reader as away. */
  let away = false;

  const panel = presenter ? view(box) : undefined;
  const list = presenter ? people(box) : undefined;

  run.on("room", (message) => {
    if (message.type === "timer") hearTimer(message.left);
    if (message.type === "hello") away = false; // the server knows nothing of a new socket yet
    if (message.type === "seat") {
      box.dataset.may = message.may;
      go(place.sit(message.state));
      settleSoon();
      vote = message.vote;
      box.dataset.seat = String(message.seat);
      lose(message.lost);
      own = message.own;
    }
    if (message.type === "room") {
      box.toggleAttribute("data-black", message.black);
      box.toggleAttribute("data-locked", message.locked);
      go(place.hear(message));
      settleSoon();
    }
    show();
  });

  /** Leads to the page that says that the presenter has taken the seat or remote. @param {string} what */
  function lose(what) {
    if (what === box.dataset.lost) return;
    if (what === "remove") location.assign(`${base}${path}`);
    else location.reload();
  }

  /** @param {import("./standing.js").Way} way */
  function go({ to, leave, stay }) {
    if (leave || stay) clearTimeout(leaving); // the room has gone on to a third run, or come back
    if (leave) leaving = setTimeout(() => location.assign(`${base}${leave}?lang=${document.documentElement.lang.slice(0, 2)}`), may("act") ? LED_MS : 0);
    if (to !== undefined) run.go(to === END ? run.tip : to);
  }

  /** The page shows a position: the reader's own choice, or what the driver led to. */
  run.on("show", () => {
    settleSoon();
    show();
  });

  /** Tells the driver's position, once the driver stays there. */
  function settleSoon() {
    clearTimeout(settling);
    if (place.look(run.position, run.tip) !== undefined) settling = setTimeout(settle, SETTLE_MS);
  }

  function settle() {
    const at = place.look(run.position, run.tip);
    if (at === undefined) return;
    place.tell(at);
    run.ask({ verb: "cursor", at: String(at) }, () => place.untell(at)); // the room's message came before the answer
  }

  /** Only the driver steps beyond the end. */
  run.on("advance", () => may("act") || run.position < run.tip);

  box.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (!target.closest("[data-room-back]")) return;
    event.preventDefault(); // the link is for those without scripts
    go(place.back());
  });

  box.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.getAttribute("action") !== `${base}${path}/do`) return; // it leads to another page
    event.preventDefault();
    const { back, ...fields } = Object.fromEntries([...new FormData(form, event.submitter)].map(([name, value]) => [name, String(value)]));
    run.ask(fields);
  });

  /** Marks the reader's own parts, on the box and in its panel. */
  function show() {
    showControls(box, box.dataset.may ?? "");
    showTimer();
    box.dataset.state = place.state;
    box.toggleAttribute("data-end", run.position === run.tip);
    panel?.refresh();
    list?.refresh();
    if (own) box.querySelector("[data-room-own]")?.setAttribute("href", `${base}${own}`);
    if (vote !== undefined) {
      for (const choice of box.querySelectorAll("#vote-form [name=choice]")) choice.setAttribute("aria-pressed", String(choice.getAttribute("value") === String(vote)));
    }
    if (away === (place.state === "away")) return;
    away = !away;
    run.tell({ type: "away", away });
  }

  // A presentation remote sends F5 to begin the show.
  document.addEventListener("keydown", (event) => {
    if (!presenter || event.key !== "F5" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (!event.repeat) document.getElementById("full")?.click();
  });
}
