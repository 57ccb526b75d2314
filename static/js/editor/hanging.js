/** A long line goes on beneath its own first letter, and a bit to the right. */

import { RangeSetBuilder, countColumn } from "@codemirror/state";
import { Decoration, ViewPlugin } from "@codemirror/view";

/** Deeper lines go on here, columns. */
const DEEPEST = 32;

/** A class for each indent: a browser that splits a line copies its attributes, and the pages' policy refuses a style among them. */
export const indents = Object.fromEntries(Array.from({ length: DEEPEST + 1 }, (_, columns) => [
  `.cm-line.cm-in-${columns}`,
  { paddingLeft: `calc(8px + ${columns + 2}ch)`, textIndent: `${-columns - 2}ch` },
]));

export const hanging = ViewPlugin.define((view) => ({
  lines: linesOf(view),
  update({ docChanged, viewportChanged, view }) {
    if (docChanged || viewportChanged) this.lines = linesOf(view);
  },
}), { decorations: ({ lines }) => lines });

/** @param {import("@codemirror/view").EditorView} view */
function linesOf({ state, visibleRanges }) {
  const lines = new RangeSetBuilder();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at);
      const columns = countColumn(line.text, state.tabSize, line.text.search(/\S|$/));
      lines.add(line.from, line.from, Decoration.line({ class: `cm-in-${Math.min(columns, DEEPEST)}` }));
      at = line.to + 1;
    }
  }
  return /** @type {import("@codemirror/view").DecorationSet} */ (lines.finish());
}
