/**
 * The page that a link leads to. The page of a short link shows its run already; a longer link has the run in its fragment, which
 * the server does not see, and this script takes it out. A link on this site opens the run, like pasted text. A link from elsewhere,
 * such as a chat, shows the picture of the run, and the reader opens it.
 */

import { element } from "../lib/element.js";
import { field } from "../lib/field.js";
import { keys } from "../site/keys.js";
import { settings } from "../site/settings.js";
import { decode } from "./fragment.js";
import { Mistake } from "./mistake.js";
import { opening, words as wordsOf } from "./open.js";

/** The part of the page that says what the run is; the server's answer replaces it. */
const link = () => element("link");
const form = () => /** @type {HTMLFormElement} */ (element("link-form"));
const area = () => /** @type {HTMLTextAreaElement} */ (element("link-text"));
const words = wordsOf();
/** Takes a file in place of a text; the page of a short link has none. */
const file = document.getElementById("link-files");
opening(/** @type {HTMLInputElement | null} */ (document.getElementById("link-file")) ?? undefined);
if (file) file.hidden = false;

settings(document);
keys(document);

const linked = location.hash.length > 1;

/** The server has seen the link. */
const shown = document.getElementById("link-open") !== null;

// The typed text survives a change of language, and so does the link.
const typed = sessionStorage.getItem("link-text");
sessionStorage.removeItem("link-text");
if (typed !== null && !linked && !shown) area().value = typed;
const other = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a[hreflang]"));
other?.addEventListener("click", () => {
  if (linked) other.hash = location.hash;
  else if (!shown) sessionStorage.setItem("link-text", area().value);
});

if (linked) open(location.hash.slice(1));
else if (shown) go();
else point();

// The page as it was left, when the reader comes back.
addEventListener("pageshow", (event) => event.persisted && history.state?.opened && say(words.kept));

// A new link in the address of this page loads nothing by itself, and comes from nobody knows where.
addEventListener("hashchange", () => {
  history.replaceState({ ...history.state, foreign: true }, "");
  location.reload();
});

/** @param {string} fragment */
async function open(fragment) {
  try {
    area().value = await decode(fragment);
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    say(words[error.fault]);
    return;
  }
  go();
}

/** Opens the run for a reader who comes from this site, and shows it to others. */
async function go() {
  const opened = history.state?.opened === true; // a reader who comes back to this page wants to go further back, not to have another run
  if (opened || history.state?.foreign || !fromHere()) {
    if (!shown) await look();
    show();
    if (opened) say(words.kept);
    return;
  }
  note();
  say(words.opening);
  form().submit();
}

/** Reports whether another page of this site led here. The link to the other language does not count: it takes the run along. */
function fromHere() {
  const base = location.origin + location.pathname.replace(/p$/, "");
  const [before] = document.referrer.split(/[?#]/);
  return before.startsWith(base) && before !== `${base}p`;
}

/** Asks the server what the run is. */
async function look() {
  say(words.looking);
  try {
    const answer = await fetch(link().dataset.look ?? "", { method: "POST", body: new URLSearchParams([...new FormData(form())].map(([name, value]) => [name, String(value)])) });
    const text = await answer.text();
    if (answer.headers.get("Content-Type")?.startsWith("text/plain")) return say(text);
    const seen = new DOMParser().parseFromString(text, "text/html").getElementById("link");
    if (!seen) return say(words.failed);
    link().replaceWith(document.adoptNode(seen));
  } catch {
    return say(words.failed);
  }
}

/** Shows the run, and waits for the reader. */
function show() {
  point();
  const button = document.getElementById("link-open");
  if (!button) return; // the text is no run
  if (file) file.hidden = true;
  if (document.getElementById("link-data")) import("./drawn.js").then(({ draw }) => draw());
  form().addEventListener("submit", note);
  // The reader may still hold down the key that led here.
  button.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
  button.focus({ preventScroll: true });
}

/** Notes that this entry of the history has been opened. */
function note() {
  history.replaceState({ opened: true }, "");
}

/** Turns the text's field into the editor, and puts the cursor where the text is wrong. */
function point() {
  const { line, column, editor } = area().dataset;
  if (!editor) return; // it is only shown
  const scenario = field(area());
  scenario.edit();
  if (Number(line)) scenario.point(Number(line), Number(column), element("link-error").textContent?.trim());
}

/** @param {string} sentence */
function say(sentence) {
  element("link-error").textContent = sentence;
}
