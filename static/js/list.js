/**
 * The twin of the picture: the list of events, and what went over the wire. A
 * row that lies after the playhead has not happened yet.
 *
 * @typedef {import("./store.js").Event} Event
 */

import { beforePaint } from "./frame.js";
import { reveal } from "./reveal.js";

/**
 * @param {HTMLElement} root  holds the rows and the template of one
 * @param {{lang: "en" | "zh"}} options
 */
export function list(root, { lang }) {
  const rows = /** @type {HTMLElement} */ (root.querySelector("#event-rows"));
  const wire = /** @type {HTMLElement} */ (root.querySelector("#wire-rows"));
  const pattern = /** @type {HTMLTemplateElement} */ (root.querySelector("#event-row"));
  const pane = /** @type {HTMLElement} */ (rows.closest(".rows"));
  /** @type {Map<number, HTMLElement>} what went over the wire, by the seq of its event */
  const exchanges = new Map();
  let shown = rows.children.length; // events in the list
  let wired = 0; // events whose RESP has been looked at
  let head = shown; // the playhead
  let brought = -1; // the playhead at which the list was last brought into view
  let selected = 0;
  let sought = 0; // seq of the row to be brought into view; 0: that at the playhead

  /** @param {Event} event */
  function row(event) {
    const made = /** @type {HTMLElement} */ (/** @type {DocumentFragment} */ (pattern.content.cloneNode(true)).firstElementChild);
    made.dataset.seq = String(event.seq);
    made.classList.toggle("violation", event.kind === "violation");
    const link = /** @type {HTMLAnchorElement} */ (made.querySelector(".seq a"));
    link.id = `event-${event.seq}`;
    link.href = `#event-${event.seq}`;
    fill(made, ".seq a", String(event.seq));
    fill(made, ".time", String(event.time / 1000));
    fill(made, ".lane", event.lane ?? "");
    fill(made, ".sentence", event.sentence[lang]);
    return made;
  }

  /** What of a stretch has happened. @param {number} from @param {number} to @param {number} playhead */
  function tell(from, to, playhead) {
    for (let i = from; i < to; i++) {
      for (const row of [rows.children[i], exchanges.get(i + 1)]) row?.classList.toggle("future", i >= playhead);
    }
  }

  const bring = beforePaint(() => {
    if (sought) return reveal(rows.children[sought - 1]);
    const last = /** @type {HTMLElement | undefined} */ (rows.children[head - 1]);
    pane.scrollTop = last ? last.offsetTop + last.offsetHeight - pane.clientHeight : 0;
  });

  return {
    /** @param {Event[]} events  the whole log @param {number} playhead */
    show(events, playhead) {
      if (events.length < shown) {
        rows.replaceChildren();
        wire.replaceChildren();
        exchanges.clear();
        shown = wired = head = 0;
      }
      const fresh = Math.min(shown, wired);
      rows.append(...events.slice(shown).map(row));
      for (const event of events.slice(wired)) {
        const item = exchange(event);
        if (!item) continue;
        exchanges.set(event.seq, item);
        wire.append(item);
      }
      shown = wired = events.length;
      tell(fresh, events.length, playhead);
      tell(Math.min(head, playhead), Math.min(fresh, Math.max(head, playhead)), playhead);
      head = playhead;
      if (head === brought) return; // what others add to the future takes the reader nowhere
      brought = head;
      sought = 0;
      bring();
    },
    /** @param {number} seq  0: nothing @param {boolean} inView  its row is brought into view */
    select(seq, inView) {
      mark(selected, false);
      mark(seq, true);
      selected = seq;
      if (!inView) return;
      sought = seq;
      bring();
    },
  };

  /** @param {number} seq @param {boolean} on */
  function mark(seq, on) {
    rows.children[seq - 1]?.classList.toggle("selected", on);
    exchanges.get(seq)?.classList.toggle("selected", on);
  }
}

/** What Redis was sent and what it sent back, as RESP.
 * @param {Event} event
 */
function exchange(event) {
  if (event.kind !== "deliver" || !event.call || !event.execution) return undefined;
  const item = document.createElement("li");
  item.dataset.seq = String(event.seq);
  item.append(
    line("wire-about", `#${event.execution.order} ${event.call.client} → ${event.call.node}`),
    line("wire-request", escaped(event.request ?? "")),
    line("wire-reply", escaped(event.execution.reply.resp)),
  );
  return item;
}

/** @param {string} name @param {string} text */
function line(name, text) {
  const made = document.createElement("code");
  made.className = name;
  made.textContent = text;
  return made;
}

/** RESP on one line. @param {string} resp */
const escaped = (resp) => resp.replaceAll("\r\n", "\\r\\n");

/** @param {Element} row @param {string} selector @param {string} text */
function fill(row, selector, text) {
  const cell = row.querySelector(selector);
  if (cell) cell.textContent = text;
}
