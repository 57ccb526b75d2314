/**
 * Words and marks are one: a word that names a mark of the picture lights it, and a mark lights its words.
 *
 * The contract. An element with the attribute data-refs is a text about the picture: the words in it that name marks are found here
 * (words.js) and become references. Who knows better writes a reference himself, anywhere on the page:
 *
 *   <span class="ref" data-ref="C1 DEL">its DEL</span>
 *
 * with what timeline/refs.js can find. Without scripts it is a plain word. With them, it can be pointed at, focused and pressed while
 * the picture has its mark: all else in the picture steps back a little. A press brings the mark into view and keeps it lit until the
 * next press, or Escape. Tab stops once in each text; arrow keys lead from word to word.
 *
 * @typedef {ReturnType<typeof import("../timeline/timeline.js").timeline>} Picture
 */

import { known, names as namesGroup, resolve } from "../timeline/refs.js";
import { wordsIn } from "./words.js";

/** What has words of its own, which do something else or are there to be spoken. */
const OTHERS = "a, button, input, select, textarea, summary, label, pre, .ref, .visually-hidden, [hidden]";

/** What is spoken when it changes. Its words are found at once when they are new, which is one change, and stay as they are. */
const SPOKEN = "[aria-live], [role=alert], [role=status]";

/** Words of two of them never belong together. */
const BLOCKS = "p, li, h1, h2, h3, h4, div, section, td, th, dt, dd, figcaption, legend, form";

/** How a reference that cannot be pressed differs. */
const PRESSED = ["role", "tabindex", "aria-pressed", "aria-description"];

/** The pictures of the page. The words are about the first that is seen. @type {{box: HTMLElement, picture: Picture}[]} */
const stages = [];

/** @type {ReturnType<typeof lights> | undefined} */
let lit;

/**
 * Joins a picture with the words of its page.
 * @param {HTMLElement} box  has the picture
 * @param {Picture} picture
 */
export function lighting(box, picture) {
  stages.push({ box, picture });
  return (lit ??= lights(document.body));
}

/** @param {HTMLElement} page */
function lights(page) {
  /** @type {HTMLElement | null} a word that was pressed: it stays lit */
  let kept = null;
  let names = "";
  let asked = 0;
  let first = true; // what is spoken was there before: to change it would have it spoken

  const texts = () => /** @type {HTMLElement[]} */ ([...page.querySelectorAll("[data-refs]")]);
  /** @param {Element} [of] */
  const refs = (of = page) => /** @type {HTMLElement[]} */ ([...of.querySelectorAll(".ref[data-ref]")]);
  /** @param {Element} of */
  const pressable = (of) => refs(of).filter((ref) => ref.role === "button" && ref.checkVisibility());

  /** @param {EventTarget | null} target */
  const refOf = (target) => (target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(".ref[data-ref]")) : null);

  const picture = () => stages.find(({ box }) => box.isConnected && box.checkVisibility())?.picture;
  const now = () => picture()?.marks();
  /** @param {HTMLElement} ref */
  const marksOf = (ref) => {
    const at = now();
    return at ? resolve(ref.dataset.ref ?? "", at.marks, at.happened) : null;
  };

  // Words

  /** Finds the words again, once for all that changes in a frame. */
  function soon() {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(find);
  }

  function find() {
    const at = now();
    if (!at) return;
    const all = known(at.marks, at.happened);
    const said = JSON.stringify(all);
    for (const text of texts()) {
      changes.observe(text, { childList: true, characterData: true, subtree: true });
      if (said !== names) unlink(text);
      link(text, all);
    }
    names = said;
    for (const ref of refs()) dress(ref);
    for (const text of new Set(refs().map(around))) onlyOne(pressable(text));
    picture()?.number(new Set(refs().flatMap((ref) => (ref.dataset.ref?.startsWith("#") && ref.checkVisibility() ? [...(marksOf(ref)?.seqs ?? [])] : []))));
    changes.takeRecords();
    if (kept && !kept.isConnected) light((kept = null));
    first = false;
  }

  /** The text of a reference: Tab stops once in it. @param {Element} ref */
  const around = (ref) => ref.closest("[data-refs]") ?? ref.closest("p, li") ?? page;

  /** @param {HTMLElement} text @param {import("../timeline/refs.js").Names} all */
  function link(text, all) {
    /** @type {{node: Text, from: number}[]} */
    const nodes = [];
    let content = "";
    /** @type {Element | null | undefined} */
    let block;
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!(node instanceof Text) || node.parentElement?.closest(OTHERS) || first && node.parentElement?.closest(SPOKEN)) continue;
      const around = node.parentElement?.closest(BLOCKS);
      if (block !== around) content += "\n";
      block = around;
      nodes.push({ node, from: content.length });
      content += node.data;
    }
    for (const { from, to, ref } of wordsIn(content, all, new Set(refs(text).map((ref) => ref.dataset.ref ?? ""))).reverse()) {
      for (const { node, from: start } of nodes) {
        const [left, right] = [Math.max(from - start, 0), Math.min(to - start, node.data.length)];
        if (left >= right || !node.data.slice(left, right).trim()) continue;
        const span = document.createElement("span");
        span.className = "ref";
        span.dataset.ref = ref;
        span.dataset.found = from < start ? "on" : ""; // it goes on with what began in another element
        const range = document.createRange();
        range.setStart(node, left);
        range.setEnd(node, right);
        range.surroundContents(span);
      }
    }
  }

  /** @param {Element} text */
  function unlink(text) {
    for (const ref of text.querySelectorAll("[data-found]")) {
      const { parentElement } = ref;
      if (parentElement?.closest(SPOKEN)) continue;
      ref.replaceWith(...ref.childNodes);
      parentElement?.normalize();
    }
  }

  /** A reference can be pressed while the picture has its mark. @param {HTMLElement} ref */
  function dress(ref) {
    const there = marksOf(ref);
    ref.classList.toggle("none", !there);
    if (!there || ref.dataset.found === "on") {
      for (const name of PRESSED) ref.removeAttribute(name);
      return;
    }
    ref.role = "button";
    ref.ariaPressed = String(ref === kept);
    ref.setAttribute("aria-description", now()?.marks.events[there.first - 1]?.sentence[document.documentElement.lang.startsWith("zh") ? "zh" : "en"] ?? "");
    if (!ref.hasAttribute("tabindex")) ref.tabIndex = -1;
  }

  /** Tab stops at one of them. @param {HTMLElement[]} all @param {HTMLElement} [at] */
  function onlyOne(all, at = all.find((ref) => ref.tabIndex === 0) ?? all[0]) {
    for (const ref of all) ref.tabIndex = ref === at ? 0 : -1;
  }

  // Marks

  /** @param {HTMLElement | null} ref  null: what was pressed, or nothing */
  function light(ref) {
    const shown = ref ?? kept;
    const there = shown && marksOf(shown);
    picture()?.light(there && ((group) => namesGroup(there, group)));
    for (const one of refs()) one.classList.toggle("lit", shown !== null && one.dataset.ref === shown.dataset.ref);
  }

  /** @param {HTMLElement} ref */
  function press(ref) {
    const before = kept;
    kept = before === ref ? null : ref;
    for (const one of [before, ref]) if (one?.role === "button") one.ariaPressed = String(one === kept);
    light(kept);
    const there = kept && marksOf(kept);
    if (there) picture()?.reveal(there.first);
  }

  page.addEventListener("pointerover", ({ target, pointerType }) => {
    const ref = refOf(target);
    if (ref && pointerType !== "touch") light(ref);
  });
  page.addEventListener("pointerout", ({ target }) => refOf(target) && light(null));
  page.addEventListener("focusin", ({ target }) => {
    const ref = refOf(target);
    if (ref?.matches(":focus-visible")) light(ref);
  });
  page.addEventListener("focusout", ({ target }) => refOf(target) && light(null));
  page.addEventListener("click", ({ target }) => {
    const ref = refOf(target);
    const word = ref && [ref, ...refs()].find((one) => one.role === "button" && one.dataset.ref === ref.dataset.ref);
    if (word) press(word);
    else if (kept) press(kept);
  });
  // Before the page's own keys: an arrow would step, and Space would go on.
  page.addEventListener("keydown", (event) => {
    const ref = refOf(event.target);
    if (event.key === "Escape" && kept) press(kept);
    if (!ref || event.ctrlKey || event.altKey || event.metaKey) return;
    const all = pressable(around(ref));
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) {
      const next = all[(all.indexOf(ref) + step + all.length) % all.length];
      onlyOne(all, next);
      next.focus();
    } else if (event.key === "Enter" || event.key === " ") press(ref);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  // Among words that were found there are new ones: the text is read again.
  const changes = new MutationObserver((records) => {
    for (const text of new Set(records.map(({ target }) => (target instanceof Element ? target : target.parentElement)?.closest("[data-refs]")))) if (text) unlink(text);
    find();
  });

  return {
    /** The picture shows another event. */
    moved: soon,
    /** The reader points at a mark. @param {number} seq  0: at none */
    point(seq) {
      for (const ref of refs()) {
        const there = seq > 0 ? marksOf(ref) : null;
        const named = there && !there.client && (there.seqs.has(seq) || there.parts.some((part) => part.startsWith(`${seq} `)));
        ref.classList.toggle("lit", Boolean(named) || (kept !== null && ref.dataset.ref === kept.dataset.ref));
      }
    },
  };
}
