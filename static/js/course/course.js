/**
 * The pages of a course: marks what the reader has done, and carries it to another
 * browser. The pages work without this script; it only adds to them.
 */

import { element } from "../lib/element.js";
import { keys } from "../site/keys.js";
import { fill, markLessons } from "./marks.js";
import { MAX_FILE, progress } from "./progress.js";
import { lead, leave, waiting } from "./recall.js";
import { settings } from "../site/settings.js";

/** @type {Record<string, string>} */
const words = JSON.parse(element("course-words").textContent ?? "");
const page = /** @type {HTMLElement} */ (document.querySelector("main"));
const course = page.dataset.course ?? "";
const kept = progress();

settings(document);
keys(document);
for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-script]"))) part.hidden = false;

document.querySelector("#print")?.addEventListener("click", () => print());
if (page.id === "course") contents();

/** The contents, and what can be done with the progress. */
function contents() {
  const [sum, says] = ["progress-sum", "progress-says"].map(element);
  const over = /** @type {HTMLDetailsElement} */ (element("progress-over"));
  const file = /** @type {HTMLInputElement} */ (element("progress-open"));
  const goOn = /** @type {HTMLAnchorElement | null} */ (document.querySelector("#go-on"));
  const begin = { href: goOn?.href ?? "", text: goOn?.textContent ?? "" };

  function show() {
    const [lessons, incidents] = ["lessons", "incidents"].map((id) => markLessons(document.querySelectorAll(`#${id} ~ .lessons > li`), course, kept, words));
    const counted = { ...lessons, solved: lessons.solved + incidents.solved, challenges: lessons.challenges + incidents.challenges };
    const begun = counted.done + counted.solved > 0;
    sum.textContent = begun ? fill(words.sum, counted) : words.none;
    wait();
    if (!goOn) return;
    // Leads to the first lesson that is not done, if any is done.
    const next = /** @type {HTMLElement | null} */ (page.querySelector("#lessons ~ .lessons > li:not([data-done])"));
    const link = /** @type {HTMLAnchorElement | null} */ (next?.querySelector("a"));
    goOn.href = begun && link ? link.href : begin.href;
    goOn.textContent = begun && next ? fill(words["go-on"], { n: next.dataset.number ?? "" }) : begin.text;
  }

  /** Offers the first question that the reader has missed. */
  function wait() {
    const box = document.getElementById("waiting");
    if (!box) return;
    const missed = waiting(box, course, kept);
    box.hidden = missed.length === 0;
    element("waiting-says").textContent = fill(words[missed.length === 1 ? "wait-1" : "wait"], { n: missed.length });
    const link = /** @type {HTMLAnchorElement} */ (element("waiting-now"));
    lead(link, missed[0]);
    link.onclick = leave;
  }

  element("progress-save").addEventListener("click", () => {
    const name = "lockstep-progress.json";
    const url = URL.createObjectURL(new Blob([kept.text()], { type: "application/json" }));
    Object.assign(document.createElement("a"), { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser may still be reading it
    says.textContent = fill(words.saved, { name });
  });

  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    const text = chosen.size > MAX_FILE ? "" : await chosen.text().catch(() => ""); // it may have been moved away
    const fault = kept.take(text);
    file.value = ""; // so that the same file can be chosen again
    says.textContent = words[fault ?? "taken"];
    show();
  });

  element("progress-forget").addEventListener("click", () => {
    kept.forget(course);
    close(words.gone);
    show();
  });
  element("progress-keep").addEventListener("click", () => close(""));
  over.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !over.open) return;
    event.preventDefault();
    close("");
  });

  /** @param {string} sentence */
  function close(sentence) {
    over.open = false;
    over.querySelector("summary")?.focus();
    says.textContent = sentence;
  }

  show();
  addEventListener("pageshow", show); // the reader returns from a lesson
  addEventListener("storage", show);
  if (!kept.lasts()) says.textContent = words.lost;
}
