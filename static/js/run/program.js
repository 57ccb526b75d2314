/**
 * The drawer of the code: shows the program of the client that moves, with its line, or the one that the reader
 * chooses; and turns into the editor of the reader's own version, at the same place.
 */

import { element } from "../lib/element.js";
import { field } from "../lib/field.js";
import { handOn, takeOver } from "../lib/kept.js";
import { reveal } from "../lib/reveal.js";
import { text as textAt } from "../lib/text.js";
import { tongues } from "../stage/tongues.js";
import { morph } from "./panels.js";

/** Where a draft waits for the next page. */
const DRAFT = "draft";

/** @param {string} lang  of the page */
export function program(lang) {
  const choice = element("program");
  const menu = /** @type {HTMLDetailsElement} */ (element("program-menu"));
  const pane = /** @type {HTMLDetailsElement} */ (element("own"));
  const from = /** @type {HTMLInputElement} */ (element("own-from"));
  const form = element("own-form");
  const own = field(/** @type {HTMLTextAreaElement} */ (element("own-source")));
  const others = tongues();
  /** The program that the page shows. */
  let shown = chosen();
  /** The reader has chosen it, and has not moved since. */
  let pinned = false;

  /** Returns the program of the next client. */
  function chosen() {
    return /** @type {HTMLInputElement | null} */ (choice.querySelector("input:checked"))?.value ?? "";
  }

  choice.addEventListener("change", () => {
    pinned = true;
    see(chosen());
  });
  // A press is a choice. Arrows only move through the list, until Enter.
  choice.addEventListener("click", (event) => {
    if (event.detail > 0) menu.open = false;
  });
  choice.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // it would send the form
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
  menu.addEventListener("toggle", () => {
    if (menu.open) reveal(choice.querySelector("label:has(:checked)"));
  });
  pane.addEventListener("toggle", () => {
    if (!pane.open) return;
    own.edit();
    if (pane.contains(document.activeElement)) begin();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    pane.open = false; // what was typed stays
    pane.querySelector("summary")?.focus();
  });
  void takeUp();
  show();

  /** @param {string} name */
  function see(name) {
    shown = name;
    show();
  }

  /** Shows the program; the panels may be new. */
  function show() {
    for (const section of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-source]"))) {
      section.hidden = section.dataset.source !== shown;
    }
    element("program-shown").textContent = shown;
    others.show(shown);
    const next = element("program-next");
    next.hidden = shown === chosen();
    /** @type {HTMLElement} */ (next.querySelector("b")).textContent = chosen();
    void bring(shown).then((brought) => brought && show());
    const text = editable(shown);
    if (from.value !== shown && text && own.value === editable(from.value)) { // else the reader's changes stay, or the socket brings a long text
      from.value = shown;
      own.value = text;
    }
  }

  /** Brings the text of a program to which the page has a link, and reports whether it is new. @param {string} name */
  async function bring(name) {
    const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector(`#source-${name} a`));
    if (!link) return false;
    const listing = await textAt(`${link.href}?listing&lang=${lang}`).catch(() => ""); // then the link stays
    if (!listing || !link.isConnected) return false; // the socket has brought it, with its clients
    morph({ [`source-${name}`]: listing });
    return true;
  }

  /** Begins to edit at the line where a client is, or where the code begins. Comments, which may be translated, do not count. */
  function begin() {
    const lines = own.value.split("\n").map(withoutComment);
    const here = document.querySelector(`#source-${shown} .here code`)?.textContent;
    const at = (here ? lines.indexOf(withoutComment(here)) + 1 : 0) || lines.findIndex((line) => line !== "") + 1;
    own.point(Math.max(1, at), 1);
  }

  /** Restores the draft of the page before, if it is still about the same text. */
  async function takeUp() {
    const draft = takeOver(DRAFT);
    if (!draft) return;
    const { name, original, text } = JSON.parse(draft);
    if (!document.getElementById(`source-${name}`)) return;
    shown = name;
    await bring(name);
    if (textOf(name) !== original) return;
    from.value = name;
    own.value = text;
  }

  return {
    show,

    /** Shows the program of the client that moved last, at its line. @param {Iterable<string>} lanes  of the events so far, the last one first */
    follow(lanes) {
      const badges = new Map([...document.querySelectorAll("#sources .badge")].map((badge) => [badge.textContent ?? "", badge]));
      const here = badges.size > 0 ? first(lanes, badges) : undefined;
      const name = here?.closest("[data-source]")?.getAttribute("data-source");
      if (!name || pinned || pane.open) return;
      if (name !== shown) see(name);
      reveal(here?.closest("li"));
    },

    /** Shows the listing again. */
    close() {
      pane.open = false;
    },

    /** The reader moves on: the code follows. */
    unpin() {
      pinned = false;
    },

    /** Keeps the reader's draft for the next page: a branch, or the other language. */
    keep() {
      if (own.value === editable(from.value)) return;
      handOn(DRAFT, JSON.stringify({ name: from.value, original: textOf(from.value), text: own.value }));
    },

    /** Selects a line. @param {{program: string, number: number}} [line]  left out: none */
    select(line) {
      for (const old of document.querySelectorAll(".source .selected")) old.classList.remove("selected");
      if (!line) return;
      see(line.program);
      const found = document.querySelector(`#source-${line.program} li:nth-child(${line.number})`);
      found?.classList.add("selected");
      reveal(found);
    },

    /** Says what is wrong with the reader's own version, and puts the cursor there.
     * @param {import("./socket.js").Refusal} refusal
     */
    refuse({ text, line, column }) {
      const says = element("own-error");
      says.textContent = text;
      says.classList.toggle("visually-hidden", Boolean(line)); // the editor has it beneath the line
      if (line) own.point(line, column ?? 1, text);
    },
  };
}

/** @param {string} line */
const withoutComment = (line) => line.replace(/#.*/, "").trimEnd();

/** Returns the first of the lanes' badges. @param {Iterable<string>} lanes @param {Map<string, Element>} badges */
function first(lanes, badges) {
  for (const lane of lanes) {
    const badge = badges.get(lane);
    if (badge) return badge;
  }
}

/** Returns the lines of a program; none: its text has not come. @param {string} name */
const linesOf = (name) => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`#source-${name} code`))];

/** Returns a program's text, also where the page shows a translated comment. @param {string} name */
const textOf = (name) => linesOf(name).map((line) => `${line.dataset.text ?? line.textContent}\n`).join("");

/** Returns what a reader edits of a program: its comments are in the language of the page, and may take fewer lines there. @param {string} name */
const editable = (name) => linesOf(name).flatMap((line) => (line.textContent || !line.dataset.text ? [`${line.textContent}\n`] : [])).join("");
