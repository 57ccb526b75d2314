/**
 * The mistake that the server has found in a text: it marks the word, tints the line and says beneath it what is wrong, until the text
 * changes.
 */

import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";

/** @typedef {{at: number, says: string}} Mistake  says may be empty: then only the cursor goes there */

/** @type {import("@codemirror/state").StateEffectType<Mistake>} */
export const found = StateEffect.define();

/** @type {StateField<import("@codemirror/view").DecorationSet>} */
export const mistake = StateField.define({
  create: () => Decoration.none,
  update(marks, { docChanged, effects, state }) {
    for (const effect of effects) {
      if (effect.is(found)) return effect.value.says ? marksOf(state, effect.value) : Decoration.none;
    }
    return docChanged ? Decoration.none : marks;
  },
  provide: (marks) => EditorView.decorations.from(marks),
});

/** @param {import("@codemirror/state").EditorState} state @param {Mistake} mistake */
function marksOf(state, { at, says }) {
  const line = state.doc.lineAt(at);
  const word = /^(\w+|.)/u.exec(line.text.slice(at - line.from))?.[0].length ?? 0;
  const marks = [Decoration.line({ class: "cm-wrong-line" }).range(line.from)];
  if (word > 0) marks.push(Decoration.mark({ class: "cm-wrong" }).range(at, at + word));
  marks.push(Decoration.widget({ widget: new Sentence(says), block: true, side: 1 }).range(line.to));
  return Decoration.set(marks);
}

/** A screen reader hears it from the page's own alert. */
class Sentence extends WidgetType {
  /** @param {string} says */
  constructor(says) {
    super();
    this.says = says;
  }

  /** @param {Sentence} other */
  eq(other) {
    return other.says === this.says;
  }

  toDOM() {
    const box = document.createElement("div");
    box.className = "cm-says";
    box.setAttribute("aria-hidden", "true");
    box.textContent = this.says;
    return box;
  }
}
