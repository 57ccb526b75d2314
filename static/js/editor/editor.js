/**
 * The editor of programs and scenarios, on CodeMirror. It is a bundle of its own: a page loads it when somebody edits (lib/field.js).
 */

import { acceptCompletion, autocompletion, closeCompletion, completionKeymap, completionStatus } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { colours, program, scenario } from "./language.js";
import { hanging } from "./hanging.js";
import { look } from "./look.js";
import { found, mistake } from "./mistake.js";
import { inProgram, inScenario } from "./words.js";

/** What stays in view above a place that the editor goes to: three lines. */
const AROUND_PX = 60;

/**
 * Replaces a selection by what is typed. Chromium would give the new letter the colour of the old ones in a style attribute, which the
 * pages' policy refuses.
 * @param {InputEvent} event @param {EditorView} view
 */
function replace({ inputType, data }, view) {
  if (inputType !== "insertText" || data === null || view.state.selection.main.empty || view.state.readOnly) return false;
  view.dispatch(view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true }));
  return true;
}

/** Returns how much of a form's pane is covered by what sticks in it, px. @param {HTMLFormElement | null} form */
function covered(form) {
  const cover = { top: 0, bottom: 0 };
  for (const part of form?.children ?? []) {
    const { position, bottom } = getComputedStyle(part);
    if (position === "sticky") cover[bottom === "auto" ? "top" : "bottom"] += part.getBoundingClientRect().height;
  }
  return cover;
}

/**
 * Puts the editor in the place of a field, which stays in its form and always has the text.
 * @param {HTMLTextAreaElement} area
 * @param {object} options
 * @param {string} options.kind  program or scenario
 * @param {string} options.keys  how the keyboard leaves the editor
 * @param {import("./words.js").Words} options.words
 */
export function edit(area, { kind, keys, words }) {
  const [language, choose] = kind === "scenario" ? [scenario(words), inScenario] : [program(words), inProgram];
  const focused = document.activeElement === area;
  const { selectionStart: anchor, selectionEnd: head, value: doc, labels } = area;
  const hint = document.createElement("p");
  hint.className = "quiet";
  hint.id = `${area.id}-keys`;
  hint.textContent = keys;

  const state = EditorState.create({
    doc,
    selection: { anchor, head },
    extensions: [
      look,
      language,
      colours,
      mistake,
      lineNumbers(),
      history(),
      bracketMatching(),
      indentUnit.of("    "),
      EditorState.tabSize.of(4),
      EditorState.readOnly.of(area.readOnly),
      EditorView.lineWrapping,
      EditorView.domEventHandlers({ beforeinput: replace }),
      EditorView.scrollMargins.of(() => covered(area.form)),
      hanging,
      autocompletion({ defaultKeymap: false, icons: false, override: [complete] }),
      keymap.of([
        { key: "Tab", run: acceptCompletion },
        { key: "Escape", run: (view) => completionStatus(view.state) === "active" && closeCompletion(view) }, // else the page leaves the editor
        ...[...completionKeymap, ...defaultKeymap, ...historyKeymap].filter(({ key }) => key !== "Escape"),
        indentWithTab,
      ]),
      EditorView.updateListener.of(({ docChanged }) => docChanged && typed()),
      EditorView.contentAttributes.of(({ state }) => ({
        "aria-label": labels[0]?.textContent?.trim() ?? area.getAttribute("aria-label") ?? "",
        "aria-describedby": [area.getAttribute("aria-describedby"), hint.id].filter(Boolean).join(" "),
        "aria-invalid": String(state.field(mistake).size > 0),
      })),
    ],
  });
  const view = new EditorView({ state });
  view.dom.addEventListener("input", (event) => event.stopPropagation()); // the page hears it from the field
  labels[0]?.addEventListener("click", () => view.focus());
  area.before(view.dom);
  view.dom.after(hint);
  area.hidden = true;
  area.required = false; // the browser could not show what is missing
  area.addEventListener("input", () => set(area.value)); // somebody else has written there
  if (focused) view.focus();

  function typed() {
    area.value = view.state.doc.toString();
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** @param {string} text */
  function set(text) {
    if (text === view.state.doc.toString()) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }

  /** @param {import("@codemirror/autocomplete").CompletionContext} context */
  function complete({ pos, state, view }) {
    if (view?.composing && !/Android/.test(navigator.userAgent)) return null; // letters that become Chinese have a list of their own; Android composes every word
    const line = state.doc.lineAt(pos);
    const choice = choose(words, line.text.slice(0, pos - line.from), state.doc.toString());
    if (!choice) return null;
    return { from: line.from + choice.from, options: choice.words.map(({ name, takes }) => ({ label: name, detail: takes })), validFor: /^[\w-]*$/ };
  }

  return {
    set,

    /** Says what is wrong at a place, and puts the cursor there, unless the reader goes on typing. @param {number} line @param {number} column @param {string} says  empty: nothing is wrong */
    point(line, column, says) {
      const { from, text } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
      const at = from + [...text].slice(0, Math.max(0, column - 1)).join("").length;
      view.dispatch({ effects: found.of({ at, says }) });
      if (view.hasFocus && says) return;
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, says ? { y: "center" } : { y: "start", yMargin: AROUND_PX }) });
      view.focus();
    },
  };
}
