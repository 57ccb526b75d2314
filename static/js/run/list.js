/**
 * The twin of the picture: the list of events, and the messages on the wire. A
 * row after the playhead has not happened yet. The list is one tab stop: within it
 * the arrows, Home and End move.
 *
 * @typedef {import("../trace/state.js").Event} Event
 */

import { beforePaint } from "../lib/frame.js";
import { WHOLE } from "../lib/visible-rows.js";
import { count } from "../trace/log.js";
import { reveal } from "../lib/reveal.js";
import { unbroken } from "../lib/unbroken.js";
import { timeText } from "../trace/time.js";
import { virtualList } from "../lib/virtual-list.js";

/** Longest text of a row that is not selected, in characters; the server cuts as much (web/present/size.go). */
const LONGEST = 240;

/**
 * @param {HTMLElement} root  holds the rows and the template of one
 * @param {object} options
 * @param {"en" | "zh"} options.lang
 * @param {number} [options.whole]  the longest list that is in the page as a whole
 */
export function list(root, { lang, whole = WHOLE }) {
  const box = /** @type {HTMLElement} */ (root.querySelector("#event-rows"));
  const wire = /** @type {HTMLElement} */ (root.querySelector("#wire-rows"));
  const pattern = /** @type {HTMLTemplateElement} */ (root.querySelector("#event-row"));
  root.querySelector("#event-pages")?.remove(); // the way to the other rows without scripts
  /** @type {Event[]} */
  let log = [];
  /** The events in the list: all, or those that match the search. @type {Event[]} */
  let listed = log;
  /** The events on the wire. @type {Event[]} */
  let exchanged = [];
  let head = Infinity; // the playhead
  let brought = -1; // the playhead at which the list was last brought into view
  let selected = 0;
  let sought = 0; // seq of the row to be brought into view; 0: that at the playhead

  const rows = virtualList(box, row, Number(/** @type {HTMLElement | null} */ (box.firstElementChild)?.dataset.seq ?? 1) - 1);
  const exchanges = virtualList(wire, exchange);

  /** @param {Event} event */
  function row(event) {
    const made = /** @type {HTMLElement} */ (/** @type {DocumentFragment} */ (pattern.content.cloneNode(true)).firstElementChild);
    made.classList.toggle("violation", event.kind === "violation");
    const link = /** @type {HTMLAnchorElement} */ (made.querySelector(".seq a"));
    link.id = `event-${event.seq}`;
    link.tabIndex = -1;
    link.setAttribute("href", (link.getAttribute("href") ?? "").replace(/(events=|#event-)0/g, `$1${event.seq}`));
    link.textContent = String(event.seq);
    const began = log[0]?.began ?? event.began;
    fill(made, "td:nth-child(2)", timeText(event.time, began));
    made.children[1].classList.toggle("wall", Boolean(began));
    fill(made, ".lane", event.lane ?? "");
    return dressed(made, event);
  }

  /** Makes the row of a message on the wire. @param {Event} event */
  function exchange(event) {
    const item = document.createElement("li");
    item.append(...["wire-about", "wire-request", "wire-reply"].map((name) => {
      const line = document.createElement("code");
      line.className = name;
      return line;
    }));
    fill(item, ".wire-about", `#${event.execution?.order} ${event.call?.client} → ${event.call?.node}`);
    return dressed(item, event);
  }

  /** Fills a row. The selected one has the whole text. @param {HTMLElement} row @param {Event} event */
  function dressed(row, event) {
    row.dataset.seq = String(event.seq);
    row.classList.toggle("future", event.seq > head);
    row.classList.toggle("selected", event.seq === selected);
    const texts = { sentence: unbroken(event.sentence[lang]), "wire-request": escaped(event.request), "wire-reply": escaped(event.execution?.reply.resp) };
    for (const [name, text] of Object.entries(texts)) fill(row, `.${name}`, event.seq === selected ? text : shorten(text));
    return row;
  }

  /** @param {Event[]} events @param {number} seq  of the last of them */
  const upTo = (events, seq) => count(events, (event) => event.seq <= seq);

  /** Returns both rows of an event, as far as they are in the page. @param {number} seq */
  function both(seq) {
    for (const [all, shown] of /** @type {const} */ ([[listed, rows], [exchanged, exchanges]])) {
      const i = upTo(all, seq) - 1;
      const row = all[i]?.seq === seq && shown.row(i);
      if (row) dressed(row, all[i]);
    }
  }

  /** Puts an event among the rows. @param {number} seq */
  function put(seq) {
    rows.show(listed, upTo(listed, seq), whole);
    exchanges.show(exchanged, upTo(exchanged, seq), whole);
  }

  /** The row whose link Tab comes to. @type {HTMLElement | null | undefined} */
  let stop;

  /** Lets Tab come to one row: that with the focus, or the selected one, or that at the playhead, or what is next to it. */
  function oneStop() {
    const at = upTo(listed, selected || head) - 1;
    if (stop) linkOf(stop).tabIndex = -1;
    stop = box.contains(document.activeElement) ? document.activeElement?.closest("tr") : rows.row(Math.max(0, at)) ?? box.querySelector("tr");
    if (stop) linkOf(stop).tabIndex = 0;
  }

  /** A key moves the focus within the list. @param {KeyboardEvent} event */
  function walk(event) {
    const seq = Number(/** @type {Element} */ (event.target).closest("tr")?.dataset.seq);
    const from = upTo(listed, seq) - 1;
    const to = next(event.key, from, listed.length);
    if (event.ctrlKey || event.altKey || event.metaKey || from < 0 || to === undefined) return;
    event.preventDefault();
    rows.show(listed, to, whole);
    const row = rows.row(to);
    if (row) linkOf(row).focus();
  }

  for (const row of box.querySelectorAll("tr")) linkOf(row).tabIndex = -1;
  /** @type {HTMLElement} */ (box.closest(".rows")).tabIndex = -1; // its row is the stop
  box.addEventListener("keydown", walk);
  box.addEventListener("focusin", oneStop);

  const bring = beforePaint(() => {
    toEnd(wire, exchanges.row(upTo(exchanged, sought || head) - 1));
    const last = rows.row(upTo(listed, sought || head) - 1);
    if (sought) reveal(last);
    else toEnd(/** @type {HTMLElement} */ (box.closest(".rows")), last);
  });

  return {
    /** @param {Event[]} events  the whole log @param {number} playhead */
    show(events, playhead) {
      if (events.length < log.length) {
        rows.clear();
        exchanges.clear();
        [log, listed, exchanged] = [[], [], []];
      }
      if (events !== log) {
        if (listed.length === log.length) listed = events;
        exchanged = [...exchanged, ...events.slice(log.length).filter((e) => e.kind === "deliver" && e.call && e.execution)];
        log = events;
      }
      head = playhead;
      put(head);
      for (const all of [box, wire]) {
        for (const row of /** @type {HTMLCollectionOf<HTMLElement>} */ (all.children)) row.classList.toggle("future", Number(row.dataset.seq) > head);
      }
      oneStop();
      if (head === brought) return; // events that others add to the future move nothing
      brought = head;
      sought = 0;
      bring();
    },
    /** @param {number} seq  0: nothing @param {boolean} inView  its row is brought into view */
    select(seq, inView) {
      const before = selected;
      selected = seq;
      both(before);
      both(seq);
      oneStop();
      if (!inView) return;
      if (seq) put(seq);
      oneStop();
      sought = seq;
      bring();
    },
    /** Shows only some of the events. @param {Event[]} [found]  all */
    only(found = log) {
      if (found === listed) return;
      rows.clear();
      listed = found;
      put(head);
      oneStop();
    },
    selected: () => selected,
    /** Brings the row at the playhead into view again: what is not shown cannot scroll. */
    bring,
  };
}

/** @param {HTMLElement} row */
const linkOf = (row) => /** @type {HTMLElement} */ (row.querySelector(".seq a"));

/**
 * Returns the row to which a key moves; undefined: it does not move.
 * @param {string} key
 * @param {number} from  the index of a row
 * @param {number} length  of the list
 * @returns {number | undefined}
 */
export function next(key, from, length) {
  const to = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: length - 1 }[key];
  return to === undefined ? undefined : Math.max(0, Math.min(to, length - 1));
}

/** Scrolls a pane so that a row is the last in view. @param {HTMLElement} pane @param {HTMLElement | undefined} last */
function toEnd(pane, last) {
  pane.scrollTop = last ? last.offsetTop + last.offsetHeight - pane.clientHeight : 0;
}

/** Writes RESP on one line. @param {string} [resp] */
const escaped = (resp = "") => resp.replaceAll("\r\n", "\\r\\n");

/** @param {string} text */
function shorten(text) {
  const characters = text.length > LONGEST ? [...text] : [];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : text;
}

/** @param {Element} row @param {string} selector @param {string} text */
function fill(row, selector, text) {
  const cell = row.querySelector(selector);
  if (cell) cell.textContent = text;
}
