/**
 * The home page: draws a real run, and the step that breaks its lock. The page has
 * all states; the links to them work without this script too.
 */

import { keys } from "./keys.js";
import { otherLanguage } from "./language.js";
import { playhead } from "../trace/log.js";
import { settings } from "./settings.js";
import { timeline } from "../timeline/timeline.js";

/** @typedef {import("../trace/state.js").Event} Event */

/** @type {{lang: "en" | "zh", state: string, before: number, timeline: import("../timeline/layout.js").Words, race: Event[], getset: Event[]}} */
const { lang, before, race, getset, ...begin } = JSON.parse(document.getElementById("home-data")?.textContent ?? "");
const root = /** @type {HTMLElement} */ (document.getElementById("home"));
const picture = timeline(root, { lang, words: begin.timeline });

/** @param {string} state */
function show(state) {
  root.dataset.state = state;
  const events = state === "getset" ? getset : race;
  // The next event is the question: no ghost of it gives the answer away.
  picture.show(state === "before" ? events.slice(0, playhead(race, before)) : events);
  const cause = state === "why" ? (race.find((e) => e.violation?.property === "mutual-exclusion")?.violation?.cause ?? 0) : 0;
  picture.select(cause);
  picture.explain(cause);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-says]"))) part.hidden = part.dataset.says !== state;
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-goes]"))) link.hidden = !link.dataset.from?.split(" ").includes(state);
}

root.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a[data-goes]"));
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  show(link.dataset.goes ?? "before");
  /** @type {HTMLElement | null} */ (root.querySelector("[data-goes]:not([hidden])"))?.focus();
});

addEventListener("popstate", () => show(new URLSearchParams(location.search).get("show") ?? "before"));

settings(document, { changed: picture.resize });
keys(document);
otherLanguage(document, () => ({ show: root.dataset.state }));
show(begin.state);

// A script of its own marks the finished lessons, for readers who have any.
const marker = "../course/home-lessons.js"; // no literal in the import: the bundler leaves it
try {
  if (localStorage.getItem("progress")) import(marker);
} catch {
  // without a storage there is no progress
}

// Hardly anybody drops a file here, so the script for it loads when a file is dragged over the page.
const taker = "../share/open.js";
/** @type {ReturnType<typeof import("../share/open.js").opening> | undefined} */
let taking;
const loaded = () => import(taker).then(({ opening }) => (taking ??= opening()));
addEventListener("dragenter", loaded, { once: true });
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (!taking) (await loaded()).open(file); // the file was dropped before the script came
});
