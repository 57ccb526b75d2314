/**
 * Says on a quiet line whether something can still go wrong from this position, and
 * offers the first action that leads there. It asks the server at every position after
 * a moment, and asks nothing about positions that the reader only passes.
 *
 * @typedef {{at: number, verdict: string, length: number, actions: string[], bounds: string, says: string}} Answer
 */

import { element } from "../lib/element.js";
import { unbroken } from "../lib/unbroken.js";

const MOMENT_MS = 150;

/** Where the browser keeps the property that the reader chose. */
const PROPERTY = "ahead";

/**
 * @param {HTMLElement | null} root  null: the page has no lookahead
 * @param {object} options
 * @param {string} options.address
 * @param {Record<string, string>} options.words
 * @param {(line: string) => void} options.onDo  the reader wants an action done
 */
export function lookahead(root, { address, words, onDo }) {
  if (!root) return { show() {}, mark() {}, connected() {} };
  const says = element("ahead-says");
  const go = element("ahead-go");
  const choice = /** @type {HTMLSelectElement} */ (element("ahead-property"));
  const plain = go.title;
  /** @type {AbortController | undefined} */
  let asking;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;
  let position = -1;
  let online = false;
  let hurry = false;
  let first = "";

  choice.value = localStorage.getItem(PROPERTY) ?? "";
  if (!choice.value) choice.selectedIndex = 0;
  choice.addEventListener("change", () => {
    localStorage.setItem(PROPERTY, choice.value);
    begin();
  });
  go.addEventListener("click", () => {
    if (!first) return;
    hurry = true;
    onDo(first);
  });
  root.hidden = false;
  /** In a challenge the line is a hint, which the reader opens. */
  const hint = /** @type {HTMLDetailsElement | null} */ (root.closest("details"));
  if (hint) hint.hidden = false;
  hint?.addEventListener("toggle", begin);

  /** Begins anew: the old answer is about another position. */
  function begin() {
    clearTimeout(soon);
    asking?.abort();
    const asks = online && position > 0 && hint?.open !== false; // at the start everything can still happen
    tell(asks ? words.aheadWait : "");
    offer("");
    root?.classList.remove("there");
    if (asks) soon = setTimeout(ask, hurry ? 0 : MOMENT_MS);
    hurry = false;
  }

  async function ask() {
    const mine = (asking = new AbortController());
    try {
      const response = await fetch(`${address}&at=${position}&property=${choice.value}`, { signal: mine.signal });
      /** @type {Answer & {text?: string}} */
      const answer = await response.json();
      if (!mine.signal.aborted) take(answer);
    } catch {
      if (!mine.signal.aborted) tell(""); // the page says elsewhere that the server is away
    }
  }

  /** @param {Answer & {text?: string}} answer */
  function take({ verdict, says: sentence, text, actions = [], bounds = "" }) {
    if (verdict === "stopped") position = -1; // the next show asks again
    tell(sentence ?? text ?? "", bounds);
    offer(actions[0] ?? "");
    root?.classList.toggle("there", verdict === "violated" && !first); // the picture shows it already
    go.hidden = !first && document.activeElement !== go;
  }

  /** @param {string} sentence @param {string} [bounds] */
  function tell(sentence, bounds = "") {
    says.title = sentence;
    says.textContent = unbroken(sentence);
    element("ahead-bounds").textContent = unbroken(bounds) || "…";
  }

  /** @param {string} line  empty: there is nothing to do */
  function offer(line) {
    first = line;
    go.textContent = words.aheadAction.replace("{action}", brief(line) || "…");
    go.title = line ? `${plain}: ${line}` : plain;
    if (line) go.removeAttribute("aria-disabled");
    else go.setAttribute("aria-disabled", "true");
    mark();
  }

  /** Marks the button that does the same; the panels may be new. */
  function mark() {
    for (const button of document.querySelectorAll("[name=action]")) {
      button.toggleAttribute("data-ahead", first !== "" && button.getAttribute("value") === first);
    }
  }

  return {
    mark,
    /** @param {number} to */
    show(to) {
      if (to === position) return;
      position = to;
      begin();
    },
    /** @param {boolean} yes */
    connected(yes) {
      const again = yes && !online;
      online = yes;
      if (again) begin();
    },
  };
}

/** Returns an action without its options: spawn C1. @param {string} line */
export const brief = (line) => line.split(" ", 2).join(" ");
