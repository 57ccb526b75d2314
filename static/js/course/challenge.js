/**
 * A challenge's card. A claim goes to the server beside the page, which stays and
 * shows the answer when it comes; the count of the states runs up. Without scripts
 * each of these is a form or a link.
 */

import { named } from "../lib/framed.js";
import { countUp } from "../lib/run-up.js";

/** The reasons slide in under the pointer: for so long a second press answers nothing, ms. */
const ARMED_MS = 600;

/**
 * @param {HTMLElement} box  has the task's panel
 * @param {import("../run/run.js").Run} run
 * @param {Record<string, string>} words
 */
export function challenge(box, run, words) {
  const isSolved = () => document.querySelector("#challenge[data-solved]") !== null;
  let solved = isSolved();
  /** A claim of this page is under way. */
  let claims = false;
  /** The form goes to the server as without scripts, which shows why it was refused. */
  let plainly = false;

  box.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.id !== "claim-form" || plainly) return;
    event.preventDefault();
    if (!claims) void claim(form, /** @type {HTMLButtonElement | null} */ (event.submitter));
  });

  /** @param {HTMLFormElement} form @param {HTMLButtonElement | null} button */
  async function claim(form, button) {
    claims = true;
    const standing = document.getElementById("standing");
    if (standing) standing.textContent = words.searching;
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form, button)) body.append(name, String(value));
    // The server answers with a redirect, and tells all viewers of the run by their sockets.
    const { ok } = await run.begun();
    const answer = ok && await fetch(named(form.getAttribute("action") ?? ""), { method: "POST", body, redirect: "manual" }).catch(() => undefined);
    if (answer && answer.type === "opaqueredirect") return;
    claims = false;
    plainly = true;
    form.requestSubmit(button);
  }

  box.addEventListener("toggle", ({ target }) => {
    const form = target instanceof HTMLDetailsElement && target.id === "claim" && target.open && target.querySelector("form");
    if (!form) return;
    form.inert = true;
    setTimeout(() => (form.inert = false), ARMED_MS);
  }, { capture: true }); // it does not bubble

  box.addEventListener("click", (event) => {
    if (!(/** @type {Element} */ (event.target).closest("#challenge-share"))) return;
    const menu = /** @type {HTMLDetailsElement | null} */ (document.getElementById("share"));
    if (!menu) return;
    event.preventDefault(); // the link opens the menu for those without scripts
    setTimeout(() => { // a press outside closes the page's menu first
      for (let outer = /** @type {HTMLDetailsElement | null} */ (menu); outer; outer = outer.parentElement?.closest("details") ?? null) outer.open = true;
      menu.querySelector("summary")?.focus();
    });
  });

  /** The panel has changed: the answer to a claim may have come, or the last action has solved the challenge. */
  function changed() {
    const before = solved;
    solved = isSolved();
    const answered = claims && document.querySelector("#challenge:is([data-solved], :not(:has(#claim)))");
    if (answered) {
      claims = false;
      countUp(document.getElementById("feat"));
    }
    // Who works on the stage hears the verdict, and goes on from there; who writes elsewhere is not disturbed.
    const works = document.activeElement === document.body || document.activeElement?.closest("#stage, #card");
    if (answered || (solved && !before && works)) document.getElementById("task-title")?.focus({ preventScroll: true });
  }

  new MutationObserver(changed).observe(box, { childList: true, subtree: true });
}
