/**
 * The reader's own language in the drawer of the code: the same program as Go, Java or Python writes it, lit at the line
 * that does the work of the program's own. The hidden program stays the one that knows where its clients are.
 */

import { element } from "../lib/element.js";
import { keep, kept } from "../lib/kept.js";
import { reveal } from "../lib/reveal.js";
import { text } from "../lib/text.js";

/** Under this name the browser keeps the choice. */
const KEPT = "tongue";

export function tongues() {
  const nav = element("tongues");
  const pane = element("tongue");
  const own = element("sources");
  const programs = (nav.dataset.programs ?? "").split(" ");
  const links = [.../** @type {NodeListOf<HTMLAnchorElement>} */ (nav.querySelectorAll("a"))];
  let chosen = kept(KEPT) ?? "";
  if (!links.some(({ dataset }) => dataset.tongue === chosen)) chosen = "";
  let shown = "";
  let address = ""; // of the listing in the pane

  nav.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    chosen = link.dataset.tongue ?? "";
    keep(KEPT, chosen);
    show(shown);
  });
  new MutationObserver(() => {
    if (!pane.hidden) mark();
  }).observe(own, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });

  /** Shows a program in the chosen language. @param {string} program */
  function show(program) {
    shown = program;
    const has = programs.includes(program);
    nav.hidden = !has;
    for (const link of links) {
      const tongue = link.dataset.tongue ?? "";
      if (tongue) link.href = `${nav.dataset.path}${program}/${tongue}`;
      if (tongue === chosen) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    if (has && chosen) void load(wanted());
    else swap("");
  }

  /** Returns the address of the listing that the reader wants. */
  const wanted = () => `${nav.dataset.path}${shown}/${chosen}?listing`;

  /** @param {string} from */
  async function load(from) {
    if (address === from) return;
    try {
      const listing = await text(from);
      if (from !== wanted()) return; // the reader has moved on
      pane.innerHTML = listing;
      swap(from);
      mark();
    } catch {
      if (from === wanted()) swap(""); // the program itself is there
    }
  }

  /** Shows the pane with a listing, or the program itself. @param {string} to */
  function swap(to) {
    address = to;
    pane.hidden = !to;
    own.classList.toggle("translated", Boolean(to));
  }

  /** Lights the lines that do the work of those where the program's clients are. */
  function mark() {
    const lines = [.../** @type {NodeListOf<HTMLElement>} */ (pane.querySelectorAll("li"))];
    for (const line of lines) {
      line.classList.remove("here");
      line.querySelector(".badges")?.remove();
    }
    const here = [...document.querySelectorAll(`#source-${shown} > li`)];
    for (const [i, line] of here.entries()) {
      if (!line.classList.contains("here")) continue;
      const block = lines.filter(({ dataset }) => Number(dataset.of) > 0 && Number(dataset.of) <= i + 1);
      const of = block.reduce((last, { dataset }) => Math.max(last, Number(dataset.of)), 0);
      const lit = block.filter(({ dataset }) => Number(dataset.of) === of);
      for (const same of lit) same.classList.add("here");
      const badges = line.querySelector(".badges");
      if (badges && lit[0]) lit[0].append(...(lit[0].querySelector(".badges") ? [] : [badges.cloneNode(true)]));
      reveal(lit[0]);
    }
  }

  return { show };
}
