/**
 * The keyboard, by one rule: a key presses the visible button or link that
 * names it in aria-keyshortcuts. The button declares its shortcut, assistive
 * technology reads it there, and a key does only what a button does.
 *
 * The clients' keys move: 1…9 belong to the Step buttons of C1…C9, or to what
 * delivers the request that a crashed client has left, and X, Z and
 * R to the buttons of the chosen client, whose card has aria-current. While a
 * question is open, 1…9 belong to its answers alone, and so do their letters: a
 * digit too many would otherwise step a client. refresh() puts the keys there; call it when the cards
 * or the answers have changed.
 */

/**
 * @typedef {{key: string, ctrlKey: boolean, altKey: boolean, metaKey: boolean}} Stroke
 */

/**
 * Returns what has the keys before all others: the answers to an open question, whose letters are elsewhere the keys of drawers.
 * A presenter's clicker keeps its letters.
 * @param {ParentNode} page
 */
const asked = (page) => (document.querySelector(".presenting") ? [] : page.querySelectorAll(ANSWERS));

/** What X, Z and R do with the chosen client. */
const chosenKeys = { X: "crash", Z: "pause", R: "restart" };

/** The answers to a prediction, a poll or why a lock holds. */
const ANSWERS = "button:is([name=guess], [name=choice], [name=reason])[aria-keyshortcuts]";

/**
 * Listens to the keys of a document.
 *
 * @param {Document} document
 * @param {{begin: () => void, end: () => void}} [held]  Space is held down after it has pressed a button, and let go
 * @returns {{refresh: () => void}}
 */
export function keys(document, held) {
  /** Reports whether letters, digits and signs are shortcuts now. */
  const letters = () => document.documentElement.dataset.letters !== "off";

  /** The name of the chosen client: each change of the run makes a new card. */
  let chosen = "";

  let holding = false;

  function refresh() {
    const cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-client]")]);
    const clients = cards.map((card) => card.dataset.client ?? "");
    if (!clients.includes(chosen)) chosen = clients[0] ?? "";
    const open = [...document.querySelectorAll(ANSWERS)].some((answer) => answer instanceof HTMLElement && reachable(answer));
    for (const card of cards) {
      const client = card.dataset.client ?? "";
      set(card, "aria-current", client === chosen ? "true" : "");
      const step = document.getElementById(`step-${client}`);
      set(step, "aria-keyshortcuts", open ? "" : digitOf(client));
      set(document.getElementById(`deliver-${client}`), "aria-keyshortcuts", open || step ? "" : digitOf(client));
      for (const [key, verb] of Object.entries(chosenKeys)) {
        set(document.getElementById(`${verb}-${client}`), "aria-keyshortcuts", client === chosen ? key : "");
      }
    }
  }

  /** @param {string} client */
  function choose(client) {
    chosen = client;
    refresh();
    document.documentElement.dataset.chooses = ""; // from now on the reader sees which client the keys mean
    document.querySelector("[data-client][aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (event.key === "Escape") return leave(event);
    const shortcut = shortcutOf(event);
    if (event.repeat && shortcut !== "Space" && !shortcut.startsWith("Arrow")) return; // a held key acts once; arrows repeat
    if (!shortcut || (isCharacter(shortcut) && !letters())) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (needs(describe(target), shortcut)) return;
    if (event.repeat && shortcut === "Space") return hold(event);
    refresh();

    // An open dialog blocks the page behind it.
    const within = document.querySelector("dialog[open]") ?? document;
    const button = [...asked(within), ...within.querySelectorAll("[aria-keyshortcuts]")].find(
      (e) => e instanceof HTMLElement && names(e.getAttribute("aria-keyshortcuts") ?? "", shortcut) && reachable(e),
    );
    if (button instanceof HTMLElement) {
      event.preventDefault();
      const card = button.closest("[data-client]");
      if (card instanceof HTMLElement) choose(card.dataset.client ?? "");
      press(button);
      return;
    }
    if (within !== document || (shortcut !== "ArrowUp" && shortcut !== "ArrowDown")) return;
    const clients = [...document.querySelectorAll("[data-client]")].map((card) => card.getAttribute("data-client") ?? "");
    if (clients.length === 0) return;
    event.preventDefault();
    choose(neighbour(clients, chosen, shortcut === "ArrowDown" ? 1 : -1));
  });

  /** @param {KeyboardEvent} event */
  function hold(event) {
    event.preventDefault(); // Space scrolls
    if (!held || holding || document.querySelector("dialog[open]")) return;
    holding = true;
    held.begin();
  }

  function release() {
    if (!holding) return;
    holding = false;
    held?.end();
  }

  document.addEventListener("keyup", (event) => event.key === " " && release());
  document.addEventListener("visibilitychange", release); // a key that is let go elsewhere is not heard

  // The focus on a card chooses its client.
  document.addEventListener("focusin", (event) => {
    const card = event.target instanceof Element ? event.target.closest("[data-client]") : null;
    const client = card?.getAttribute("data-client");
    if (!client || client === chosen) return;
    chosen = client;
    refresh();
  });

  refresh();
  return { refresh };
}

/** Returns the tab of the closed drawer that has an element. @param {Element} element */
const closedBy = (element) => document.getElementById(`tab-${element.closest(".drawer[data-closed]")?.getAttribute("data-drawer")}`);

/** Reports whether a key reaches an element. A folded field counts, and so do the page's menu and a closed drawer, which the key opens. @param {HTMLElement} element */
function reachable(element) {
  const opener = document.getElementById("open-drawers");
  if (opener?.checkVisibility() && (element.dataset.drawer || closedBy(element) || element.closest(".timeline-controls, .scrubber"))) return !element.closest("[hidden]");
  const folded = element.closest("details:not([open])");
  if (folded instanceof HTMLElement && (element.tagName === "INPUT" || folded.matches(".site-menu"))) return !element.closest("[hidden]") && folded.checkVisibility();
  return element.checkVisibility({ visibilityProperty: true });
}

/** What of a part that a key has opened gets the focus. */
const INSIDE = ":is(textarea, [contenteditable=true], [tabindex='0']):not([hidden]), :is(input, select):not([type=hidden], [type=search])";

/**
 * Does what the key is for: focuses a field, opens a folded part or a drawer and moves the focus
 * in, where the same key folds it again, or presses a button.
 * @param {HTMLElement} element
 */
function press(element) {
  closedBy(element)?.click();
  if (element.closest(".scrubber") && !element.checkVisibility()) document.getElementById("open-drawers")?.click();
  const drawer = element.dataset.drawer && document.getElementById(`drawer-${element.dataset.drawer}`);
  if (drawer) {
    if (element.getAttribute("aria-expanded") === "false" || drawer.contains(document.activeElement)) element.click();
    const inside = [...drawer.querySelectorAll(INSIDE)].find((e) => e.checkVisibility());
    (inside instanceof HTMLElement ? inside : element).focus();
    return;
  }
  const folded = element.closest("details");
  if (element.tagName === "INPUT") {
    if (folded) folded.open = true;
    element.focus();
    return;
  }
  if (!folded || element.tagName !== "SUMMARY") return element.click();
  folded.open = !(folded.open && folded.contains(element.ownerDocument.activeElement));
  const inside = folded.open ? folded.querySelector(INSIDE) : null;
  (inside instanceof HTMLElement ? inside : element).focus();
}

/**
 * Names a stroke as aria-keyshortcuts does; empty: it belongs to the browser or the
 * system, but for Undo. Shift is part of the character that it makes: ? is ?
 * on every keyboard.
 * @param {Stroke} stroke
 */
export function shortcutOf({ key, ctrlKey, altKey, metaKey }) {
  if ((ctrlKey || metaKey) && !altKey && key === "z") return "Control+Z";
  if (ctrlKey || altKey || metaKey) return "";
  if (key === " ") return "Space";
  if (key === "+") return "Plus";
  return /^[a-z]$/.test(key) ? key.toUpperCase() : key;
}

/** Reports whether a shortcut is a letter, a digit or a sign, which speech input may type unasked. @param {string} shortcut */
export function isCharacter(shortcut) {
  return [...shortcut].length === 1 || shortcut === "Plus";
}

/** Reports whether an attribute names a shortcut. @param {string} attribute @param {string} shortcut */
export function names(attribute, shortcut) {
  return attribute.split(/\s+/).includes(shortcut);
}

/** Returns the digit in a client's name: C3 is 3 wherever its card stands. @param {string} client */
export function digitOf(client) {
  return /^C([1-9])$/.exec(client)?.[1] ?? "";
}

/**
 * Returns the client above or below; the list has ends.
 * @param {string[]} clients
 * @param {string} chosen
 * @param {number} by
 */
export function neighbour(clients, chosen, by) {
  const to = clients.indexOf(chosen) + by;
  return clients[Math.min(Math.max(to, 0), clients.length - 1)] ?? "";
}

/**
 * Reports whether the focused element needs a key itself.
 * @param {{tag: string, type: string, role: string, editable: boolean, scrolls?: boolean}} focus  scrolls: up and down by keys
 * @param {string} shortcut
 */
export function needs({ tag, type, role, editable, scrolls }, shortcut) {
  if (scrolls && /^(ArrowUp|ArrowDown|Home|End|Page|Space)/.test(shortcut)) return true;
  const moves = /^(Arrow|Home|End|Page)/.test(shortcut);
  if (editable || tag === "TEXTAREA" || tag === "SELECT") return true;
  if (tag === "INPUT" && type === "range") return moves;
  if (tag === "INPUT" && type === "checkbox") return shortcut === "Space";
  if (tag === "INPUT" && type === "radio") return moves || shortcut === "Space";
  if (tag === "INPUT" && !["button", "submit", "reset"].includes(type)) return true;
  if (shortcut === "Space" || shortcut === "Enter") return ["BUTTON", "SUMMARY", "INPUT"].includes(tag) || role === "button" || (tag === "A" && shortcut === "Enter");
  return role === "tab" && moves;
}

/**
 * Leaves a field for the heading that folds it: letters are keys again, and the typed
 * text stays.
 * @param {KeyboardEvent} event
 */
function leave(event) {
  const field = event.target instanceof Element ? event.target : document.body;
  if (field.tagName === "SELECT" || field.closest("dialog") || !needs(describe(field), "X")) return;
  const heading = field.closest("details")?.querySelector("summary");
  if (heading) heading.focus();
  else if (field instanceof HTMLElement) field.blur();
}

/** @param {Element} target */
function describe(target) {
  return {
    tag: target.tagName,
    type: target instanceof HTMLInputElement ? target.type : "",
    role: target.getAttribute("role") ?? "",
    editable: target instanceof HTMLElement && target.isContentEditable,
    // Keys scroll a list that the keyboard reached; a mouse press in it does not take them away.
    scrolls: target.matches(":is(.rows, [role=log]):focus-visible") && target.scrollHeight > target.clientHeight,
  };
}

/** @param {Element | null} element @param {string} attribute @param {string} value  empty: none */
function set(element, attribute, value) {
  if (value) element?.setAttribute(attribute, value);
  else element?.removeAttribute(attribute);
}
