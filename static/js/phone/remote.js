/**
 * The presenter's phone: moves the run, and runs the room. Its panels show the
 * position that everybody looks at.
 */

import { element } from "../lib/element.js";
import { morph } from "../run/panels.js";
import { lateChip } from "./chip.js";
import { sent } from "../lib/sent.js";
import { toast } from "../lib/toast.js";
import { breaksOf, nextBreak } from "./cursor.js";
import { driver } from "./driver.js";
import { fieldsOf, room } from "../room/connection.js";
import { showControls } from "../room/controls.js";
import { hearTimer, showTimer } from "../room/timer.js";

/** @type {import("../room/connection.js").Begin} */
const begin = JSON.parse(element("room-data").textContent ?? "");
const say = toast(element("note"));

/** What the server allows now, and why not to act. */
let { may = "", why = "" } = element("remote").dataset;
/** @param {string} verb */
const allows = (verb) => may.split(" ").includes(verb);
/** The panels at the end of the run. @type {Record<string, string>} */
let last = {};
/** The position whose panels are on their way; -1: none. */
let asked = -1;

const server = room(begin, "remote", element("connection").textContent ?? "", {
  onPanels(panels, about, at) {
    if (about === "look") {
      if (at === lead.cursor()) morph(panels);
      return;
    }
    last = { ...last, ...panels };
    show();
  },
  onRoom(message) {
    morph(message.panels);
    showControls(document, may);
    showTimer();
    element("moves").hidden = message.over !== "";
    lead.hear(message.at);
  },
  onSeat(own) {
    if (own.lost) location.reload(); // the page says so
    ({ may, why } = own);
    showControls(document, may);
    show();
  },
  onTimer: hearTimer,
  onRefusal(text) {
    say(text);
    if (text) lead.settle();
  },
  onConnection: lateChip(element("connection")),
  onIdle() {
    pressed.clear();
    lead.settle();
  },
  onRun() {
    last = {};
    lead.begin();
  },
});

const lead = driver(begin.at, () => server, show);

const pressed = sent(element("connection").dataset, server.busy);

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  event.preventDefault();
  if (button?.getAttribute("aria-disabled") === "true") return say(button.title || why);
  pressed.press(button);
  switch (button?.id) {
    case "step":
      return lead.step();
    case "back":
      return lead.back();
    case "violation":
      return lead.violation(breaks());
  }
  server.ask(fieldsOf(form, button));
});

const breaks = () => breaksOf(element("breaks").dataset.at ?? "");

function show() {
  const { breaks: marks, ...panels } = last;
  if (marks) morph({ breaks: marks });
  const place = lead.place();
  element("place").textContent = `${place.at} / ${place.tip}`;
  enable("step", allows(place.end ? "act" : "cursor"));
  enable("back", allows("cursor") && place.at > 0);
  enable("violation", allows("cursor") && nextBreak(place, breaks()) >= 0);
  if (place.end) {
    asked = -1;
    morph(panels);
  } else if (asked !== lead.cursor()) {
    asked = lead.cursor();
    server.look(asked);
  }
}

/** @param {string} id @param {boolean} on */
function enable(id, on) {
  if (on) element(id).removeAttribute("aria-disabled");
  else element(id).setAttribute("aria-disabled", "true");
}
