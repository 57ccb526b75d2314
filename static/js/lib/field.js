/**
 * A field for a program or a scenario. When somebody edits, it becomes an editor, which is loaded then. The field stays in its form and
 * has the text; without the editor it works by itself.
 */

import { putCaret } from "./caret.js";

/** @param {HTMLTextAreaElement} area  data-editor names what it has, data-words where its words are, data-keys says how to leave it */
export function field(area) {
  /** @type {ReturnType<import("../editor/editor.js").edit> | undefined} */
  let editor;
  /** @type {Promise<void> | undefined} */
  let loading;
  /** The mistake that the editor shows when it is there. @type {[number, number, string] | undefined} */
  let wrong;

  async function load() {
    const { editor: kind = "", words = "", keys = "" } = area.dataset;
    const asked = fetch(words).then((answer) => answer.json()).catch(() => ({ program: [], actions: [], programs: [] })); // it completes nothing then
    const { edit } = await import("../editor/editor.js");
    editor = edit(area, { kind, keys, words: await asked });
    if (wrong) editor.point(...wrong);
  }

  return {
    get value() {
      return area.value;
    },

    set value(text) {
      area.value = text;
      editor?.set(text);
    },

    /** Turns the field into the editor. What is typed meanwhile stays. */
    edit() {
      loading ??= load().catch(() => {
        loading = undefined; // the field remains
      });
    },

    /** Puts the cursor at a place, and reports whether the reader sees there what is wrong. @param {number} line @param {number} column  both counted from 1 @param {string} [mistake] */
    point(line, column, mistake = "") {
      wrong = [line, column, mistake];
      if (editor) editor.point(...wrong);
      else putCaret(area, line, column);
      return Boolean(editor && area.parentElement?.checkVisibility());
    },
  };
}
