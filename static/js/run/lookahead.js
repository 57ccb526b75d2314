/**
 * The meter: how many actions a violation is away from this position. It asks the server at
 * every position after a moment, and asks nothing about positions that the reader only passes.
 * In its menu the reader takes the first action that leads there.
 *
 * @typedef {{at: number, verdict: string, length: number, actions: string[], bounds: string, says: string, meter: string[], hints: string[]}} Answer
 */

import { element } from "../lib/element.js";
import { keep, kept } from "../lib/kept.js";
import { hints } from "./hints.js";
import { unbroken } from "../lib/unbroken.js";

const MOMENT_MS = 150;

/** The meter keeps its last answer for this long, and then says that it is looking. */
const LONG_MS = 600;

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
  const meter = [...element("ahead-meter").children];
  const menu = /** @type {HTMLDetailsElement} */ (element("ahead-menu"));
  /** A lesson has its own way, and offers no other. */
  const go = document.getElementById("ahead-go");
  const choice = /** @type {HTMLSelectElement} */ (element("ahead-property"));
  const plain = go?.title;
  /** @type {AbortController | undefined} */
  let asking;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let late;
  let position = -1;
  let online = false;
  let hurry = false;
  let first = "";

  choice.value = kept(PROPERTY) ?? "";
  if (!choice.value) choice.selectedIndex = 0;
  choice.addEventListener("change", () => {
    keep(PROPERTY, choice.value);
    begin();
  });
  go?.addEventListener("click", () => {
    if (!first) return;
    hurry = true;
    onDo(first);
  });
  // The key that opens the menu then does the action in it.
  const key = menu.querySelector("summary")?.getAttribute("aria-keyshortcuts") ?? "";
  menu.addEventListener("toggle", () => {
    const summary = /** @type {HTMLElement} */ (menu.querySelector("summary"));
    if (menu.open && go) summary.removeAttribute("aria-keyshortcuts");
    else summary.setAttribute("aria-keyshortcuts", key);
    mark();
  });
  /** In a challenge the meter is a hint, which the reader opens. */
  const hint = /** @type {HTMLDetailsElement | null} */ (root.closest("details"));
  if (hint) hint.hidden = false;
  const steps = hint && go ? hints(hint, mark) : undefined;
  hint?.addEventListener("toggle", begin);
  root.hidden = !go; // a lesson's question is told by the server

  /** Begins again: the old answer is about another position. */
  function begin() {
    clearTimeout(soon);
    clearTimeout(late);
    asking?.abort();
    const asks = online && position > 0 && hint?.open !== false; // at the start everything can still happen
    offer("");
    if (asks) {
      soon = setTimeout(ask, hurry ? 0 : MOMENT_MS);
      late = setTimeout(() => tell([words.aheadWait]), LONG_MS);
    } else {
      tell([]);
      steps?.show([]);
    }
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
      if (!mine.signal.aborted) tell([]); // the page says elsewhere that the server is away
    }
  }

  /** @param {Answer & {text?: string}} answer */
  function take({ verdict, says = "", text = "", meter: parts = [text], actions = [], bounds = "", hints: given = [] }) {
    if (verdict === "stopped") position = -1; // the next show asks again
    if (root && !go) root.hidden = verdict === "hidden";
    tell(parts, { says: says || text, bounds });
    offer(actions[0] ?? "");
    steps?.show(given);
    mark();
  }

  /** @param {string[]} parts  the words before the number, the number, the words after it @param {{says?: string, bounds?: string}} [more] */
  function tell(parts, { says = "", bounds = "" } = {}) {
    clearTimeout(late);
    meter.forEach((part, i) => (part.textContent = unbroken(parts[i] ?? "")));
    root?.toggleAttribute("data-counts", Boolean(parts[1]));
    root?.toggleAttribute("data-says", parts.length > 0);
    element("ahead-says").textContent = unbroken(says);
    element("ahead-bounds").textContent = unbroken(bounds) || "…";
  }

  /** @param {string} line  empty: there is nothing to do */
  function offer(line) {
    first = line;
    if (go) {
      go.textContent = words.aheadAction.replace("{action}", called(line) || "…");
      go.title = line ? `${plain}: ${line}` : plain ?? "";
      if (line) go.removeAttribute("aria-disabled");
      else go.setAttribute("aria-disabled", "true");
    }
    mark();
  }

  /** Marks the button that does the same, where the reader wants to know it; the panels may be new. A challenge does not give it away before its hints do. */
  function mark() {
    if (!go) return;
    const named = first !== "" && !go.hidden && (Boolean(hint) || menu.open);
    for (const button of document.querySelectorAll("[name=action]")) {
      button.toggleAttribute("data-ahead", named && button.getAttribute("value") === first);
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

/** Returns what the button of an action is called, up to the command that it would repeat. @param {string} line */
function called(line) {
  const button = line && document.querySelector(`[name="action"][value="${CSS.escape(line)}"]`);
  const name = button && (button.querySelector(".word") ?? button).textContent?.split(/[:：]/)[0].trim();
  return name || brief(line);
}

/** Returns an action without its options: spawn C1. @param {string} line */
export const brief = (line) => line.split(" ", 2).join(" ");
