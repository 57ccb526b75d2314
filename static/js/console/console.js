/**
 * The console: a line for Redis commands, with completion and help, under what
 * has been typed and answered. The line is a combobox with a listbox, after the
 * pattern of the ARIA Authoring Practices. console/complete.js reads the line; the
 * page that made the console sends it.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {import("./complete.js").CommandHelp} CommandHelp
 * @typedef {import("./complete.js").Choice} Choice
 * @typedef {import("./complete.js").Reading} Reading
 * @typedef {{lane: string, commands: CommandHelp[], words: {unknown: string, quotes: string}}} Help
 * @typedef {{ok: true} | {ok: false, text: string}} Answer  text: the reason for a refusal, a sentence
 * @typedef {{after: number, element: HTMLElement}} Refused  after: seq of the last entry before it
 */

import { lines, quote, split } from "./cli.js";
import { accept, read } from "./complete.js";
import { history } from "./history.js";
import { keysAt } from "./keys.js";
import { beforePaint } from "../lib/frame.js";

/**
 * @param {HTMLElement} root  as views/run_console.templ renders it
 * @param {object} options
 * @param {(line: string) => Promise<Answer>} options.send  does a line of scenario text, such as do CLI GET mykey
 * @param {Help} options.help
 */
export function console(root, { send, help }) {
  const log = find(root, "#console-log");
  const form = /** @type {HTMLFormElement} */ (find(root, "#console-form"));
  const input = /** @type {HTMLInputElement} */ (find(root, "#console-command"));
  const opener = find(root, "#console-open");
  const list = find(root, "#console-choices");
  const pattern = /** @type {HTMLTemplateElement} */ (find(root, "#console-entry"));
  const typed = history();

  /** @type {string[]} */
  let keys = [];
  let reading = read("", 0, help.commands, keys);
  let active = -1; // which choice; -1: none
  let busy = false;
  /** @type {Map<string, {element: HTMLElement, identity: string}>} by the seq of their event */
  const entries = new Map();
  /** @type {Refused[]} */
  const refusals = [];
  /** @type {Map<string, string>} what was typed, by how the events write it */
  const spelled = new Map();
  let shown = -1; // the playhead
  /** @type {HTMLElement | undefined} */
  let last; // the last entry that has happened
  const bringLast = beforePaint(() => {
    log.scrollTop = last && last !== log.lastElementChild ? last.offsetTop + last.offsetHeight - log.clientHeight : log.scrollHeight;
  });

  form.noValidate = true;
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");
  opener.hidden = false;
  about();

  // The line

  input.addEventListener("input", () => {
    about();
    toggle(input.value.trim() !== "");
  });
  input.addEventListener("click", about);
  input.addEventListener("keyup", (event) => {
    if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) about();
  });
  input.addEventListener("blur", () => toggle(false));
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const open = !list.hidden;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        event.preventDefault();
        if (event.altKey) toggle(event.key === "ArrowDown");
        else if (open) move(event.key === "ArrowDown" ? 1 : -1);
        else recall(event.key === "ArrowDown" ? typed.forward() : typed.back(input.value));
        return;
      case "Tab":
        if (!open || event.shiftKey || !(active >= 0 || wanting())) return;
        event.preventDefault();
        choose(Math.max(active, 0));
        return;
      case "Enter":
        if (!open || active < 0) return;
        event.preventDefault();
        choose(active);
        return;
      case "Escape":
        if (!open) return;
        event.preventDefault();
        event.stopPropagation();
        toggle(false);
        return;
    }
  });

  /** Reports whether Tab completes: where only options could follow, it moves to the next control. */
  function wanting() {
    return reading.start < (input.selectionStart ?? 0) || reading.current.some((i) => !reading.parts[i]?.startsWith("["));
  }

  // A press on a choice or on the opener keeps the focus on the line, and a phone's keyboard open.
  for (const element of [list, opener]) element.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = /** @type {Element} */ (event.target).closest("[role=option]");
    if (option) choose([...list.children].indexOf(option));
  });
  opener.addEventListener("click", () => {
    input.focus();
    about();
    toggle(Boolean(list.hidden));
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation(); // the console answers it alone
    submit();
  });

  async function submit() {
    const line = input.value;
    if (line.trim() === "" || busy) return;
    toggle(false);
    typed.add(line.trim());
    const { words, closed } = split(line);
    if (!closed) {
      refuse(line, help.words.quotes);
      return;
    }
    const command = quote(words.map((word) => word.text));
    spelled.set(command, line.trim());
    busy = true;
    const answer = await send(`do ${help.lane} ${command}`);
    busy = false;
    if (!answer.ok) {
      refuse(line, answer.text);
    } else if (input.value === line) {
      recall("");
    }
  }

  /** @param {string | undefined} line  what the line now is; undefined: as it was */
  function recall(line) {
    if (line === undefined) return;
    input.value = line;
    input.setSelectionRange(line.length, line.length);
    about();
  }

  // Completion

  /** @param {boolean} open */
  function toggle(open) {
    activate(-1);
    const some = open && reading.choices.length > 0;
    if (some) list.replaceChildren(...reading.choices.map(option));
    list.hidden = !some;
    list.scrollTop = 0;
    for (const element of [input, opener]) element.setAttribute("aria-expanded", String(some));
  }

  /** @param {Choice} choice @param {number} i */
  function option({ text, hint }, i) {
    const item = document.createElement("li");
    item.id = `console-choice-${i}`;
    item.className = "console-choice";
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    item.append(make("code", text));
    if (hint) item.append(" ", make("span", hint));
    return item;
  }

  /** Moves through the choices in a circle, with none between the last and the first. @param {number} by */
  function move(by) {
    const places = reading.choices.length + 1;
    activate(((active + 1 + by + places) % places) - 1);
  }

  /** @param {number} choice */
  function activate(choice) {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = choice;
    const option = list.children[active];
    if (!option) {
      input.removeAttribute("aria-activedescendant");
      tell(reading);
      return;
    }
    option.setAttribute("aria-selected", "true");
    preview(reading.choices[active].text);
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} choice */
  function choose(choice) {
    const { line, cursor } = accept(input.value, reading, reading.choices[choice].text);
    input.value = line;
    input.setSelectionRange(cursor, cursor);
    about();
    toggle(true);
  }

  // Help

  function about() {
    const cursor = input.selectionStart ?? input.value.length;
    reading = read(input.value, cursor, help.commands, keys);
    tell(reading);
  }

  /** Shows the help for the command that would be chosen. @param {string} name */
  function preview(name) {
    if (help.commands.some((command) => command.name === name)) tell(read(name, name.length, help.commands, keys));
  }

  /** @param {Reading} about  a line, as it is or as it would be */
  function tell(about) {
    const { help: command } = about;
    const first = split(input.value).words[0];
    const unknown = !command && first !== undefined && about.choices.length === 0;
    find(root, "#console-hint").hidden = command !== undefined || unknown;
    const note = find(root, "#console-unknown");
    note.hidden = !unknown;
    note.textContent = unknown ? help.words.unknown.replace("{command}", first.text.slice(0, 32)) : "";
    find(root, "#console-help").hidden = !command;
    if (command) explain(command, about);
    else for (const name of ["syntax", "summary"]) fact(name).replaceChildren(); // they describe the line, even when hidden
  }

  /** @param {CommandHelp} command @param {Reading} about */
  function explain(command, { parts, current }) {
    const syntax = parts.flatMap((part, i) => {
      const here = i > 0 && current.includes(i);
      return [i > 0 ? " " : "", make(here ? "strong" : "span", part)];
    });
    fact("syntax").replaceChildren(...syntax);
    for (const name of /** @type {const} */ (["summary", "since", "complexity", "categories", "deprecated"])) {
      const text = command[name] ?? "";
      fact(name).textContent = text;
      fact(name).hidden = text === "";
    }
    fact("replies").replaceChildren(
      ...command.replies.map(({ reply, meaning }) => {
        const row = document.createElement("tr");
        const head = make("th", reply);
        head.setAttribute("scope", "row");
        head.setAttribute("translate", "no");
        row.append(head, make("td", meaning));
        return row;
      }),
    );
  }

  /** @param {string} name */
  function fact(name) {
    return find(root, `[data-help=${name}]`);
  }

  // Lines and their replies

  /** @param {string} line @param {string} sentence */
  function refuse(line, sentence) {
    const element = entry(line, "");
    element.removeAttribute("data-seq");
    element.classList.add("refused");
    const reply = make("p", sentence);
    reply.className = "console-refusal";
    reply.lang = document.documentElement.lang;
    find(element, ".console-reply").replaceWith(reply);
    refusals.push({ after: Math.max(0, ...[...entries.keys()].map(Number)), element });
    arrange();
    log.scrollTop = log.scrollHeight;
  }

  /** @param {string} command @param {string} reply @returns {HTMLElement} */
  function entry(command, reply) {
    const copy = /** @type {DocumentFragment} */ (pattern.content.cloneNode(true));
    const element = /** @type {HTMLElement} */ (copy.firstElementChild);
    find(element, "code").textContent = command;
    find(element, ".console-reply").textContent = lines(reply).join("\n");
    element.classList.toggle("error", reply.startsWith("(error) "));
    return element;
  }

  /** Puts the entries in order, moving only those that stand elsewhere. */
  function arrange() {
    const wanted = [...entries].map(([seq, { element }]) => ({ at: Number(seq), element }));
    wanted.push(...refusals.map(({ after, element }) => ({ at: after + 0.5, element })));
    wanted.sort((a, b) => a.at - b.at);
    wanted.forEach(({ element }, i) => {
      if (log.children[i] !== element) log.insertBefore(element, log.children[i] ?? null);
    });
    while (log.children.length > wanted.length) log.lastElementChild?.remove();
  }

  return {
    /**
     * @param {Event[]} events  of the run
     * @param {number} playhead  seq of the last event that has happened at the playhead
     */
    show(events, playhead) {
      const gone = new Set(entries.keys());
      let fresh = false;
      for (const event of events) {
        if (event.kind !== "receive" || event.lane !== help.lane) continue;
        const seq = String(event.seq);
        const label = event.label ?? "";
        const reply = event.execution?.reply.text ?? "";
        const identity = `${label}\n${reply}`;
        gone.delete(seq);
        if (entries.get(seq)?.identity === identity) continue;
        entries.get(seq)?.element.remove();
        const command = spelled.get(label) ?? label;
        const element = entry(command, reply);
        element.setAttribute("data-seq", seq);
        entries.set(seq, { element, identity });
        typed.add(command);
        fresh = true;
      }
      for (const seq of gone) entries.delete(seq);
      if (fresh || gone.size > 0 || shown < 0) arrange();
      last = undefined;
      for (const [seq, { element }] of entries) {
        const ahead = Number(seq) > playhead;
        element.classList.toggle("future", ahead);
        if (!ahead) last = element;
      }
      if (fresh || playhead !== shown) bringLast();
      shown = playhead;
      offer(keysAt(events, playhead));
    },
  };

  /** @param {string[]} names  of the keys that exist at the playhead */
  function offer(names) {
    if (names.join("\n") === keys.join("\n")) return; // a choice that the reader has come to stays
    keys = names;
    reading = read(input.value, input.selectionStart ?? input.value.length, help.commands, keys);
    if (!list.hidden) toggle(true);
  }
}

/** @param {string} tag @param {string} text */
function make(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

/** @param {Element} root @param {string} selector @returns {HTMLElement} */
function find(root, selector) {
  const found = /** @type {HTMLElement | null} */ (root.querySelector(selector));
  if (!found) throw new Error(`the console has no ${selector}`);
  return found;
}
