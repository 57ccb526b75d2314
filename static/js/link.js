/**
 * The page that a link leads to: takes the run out of the link's fragment, which
 * the server does not see, and opens it as if its text had been pasted.
 */

import { element } from "./element.js";
import { keys } from "./keys.js";
import { settings } from "./settings.js";
import { decode } from "./share/fragment.js";
import { Mistake } from "./share/mistake.js";
import { opening, words as wordsOf } from "./share/open.js";

const form = /** @type {HTMLFormElement} */ (element("link-form"));
const area = /** @type {HTMLTextAreaElement} */ (element("link-text"));
const words = wordsOf();
opening(/** @type {HTMLInputElement} */ (element("link-file")));
/** @type {HTMLElement} */ (document.querySelector("[data-script]")).hidden = false;

settings(document);
keys(document);

// What was typed outlives a change of language.
const typed = sessionStorage.getItem("link-text");
sessionStorage.removeItem("link-text");
if (typed !== null) area.value = typed;
document.querySelector("a[hreflang]")?.addEventListener("click", () => sessionStorage.setItem("link-text", area.value));

if (location.hash.length > 1) open(location.hash.slice(1));
else point();

// The page as it was left, when the reader comes back.
addEventListener("pageshow", (event) => event.persisted && say(words.kept));

// Another link that is pasted into the address bar of this page loads nothing.
addEventListener("hashchange", () => location.reload());

/** @param {string} fragment */
async function open(fragment) {
  try {
    area.value = await decode(fragment);
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    say(words[error.fault]);
    return;
  }
  // Whoever comes back to this page wants to go further back, not to have another run.
  if (history.state?.opened) return say(words.kept);
  history.replaceState({ opened: true }, "");
  say(words.opening);
  form.submit();
}

/** Puts the cursor where the text is wrong. */
function point() {
  const line = Number(area.dataset.line);
  if (!line) return;
  const before = area.value.split("\n").slice(0, line - 1).reduce((length, text) => length + text.length + 1, 0);
  const at = before + Math.max(0, Number(area.dataset.column) - 1);
  area.focus();
  area.setSelectionRange(at, at);
}

/** @param {string} sentence */
function say(sentence) {
  element("link-error").textContent = sentence;
}
