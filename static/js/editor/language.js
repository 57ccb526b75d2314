/**
 * The colours of a program and of a scenario: the kinds of words are those of web/highlight. A program is a small part of Starlark, so
 * its words are in no grammar; where the next line begins is told by the line before.
 */

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

/** @typedef {{quote: string, indent: number, opens: boolean, leaves: boolean}} Line  quote: of a text that goes on; the rest is about the last line that has code */

/** What ends a block. */
const LEAVING = /^(return|pass|break|continue)\b/;

/**
 * @param {import("./words.js").Words} words
 * @returns {StreamLanguage<Line>}
 */
export function program(words) {
  const all = (/** @type {string} */ kind) => new Set(words.program.flatMap(({ of, name }) => (of === kind ? [name] : [])));
  const [keywords, literals] = [all("keyword"), all("literal")];
  return StreamLanguage.define({
    name: "program",
    startState: () => /** @type {Line} */ ({ quote: "", indent: 0, opens: false, leaves: false }),
    token(stream, line) {
      if (line.quote) return text(stream, line);
      if (stream.eatSpace()) return null;
      if (stream.match(/^#.*/)) return "comment";
      if (stream.column() === stream.indentation()) {
        line.indent = stream.indentation();
        line.leaves = Boolean(stream.match(LEAVING, false));
      }
      line.opens = stream.peek() === ":";
      const quote = /** @type {RegExpMatchArray | null} */ (stream.match(/^("""|'''|"|')/));
      if (quote) {
        line.quote = quote[1];
        return text(stream, line);
      }
      if (stream.match(/^\d\w*/)) return "number";
      const word = /** @type {RegExpMatchArray | null} */ (stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u));
      if (!word) stream.next();
      else if (keywords.has(word[0])) return "keyword";
      else if (literals.has(word[0])) return "number";
      return null;
    },
    indent({ indent, opens, leaves }, after, { unit }) {
      if (opens) return indent + unit;
      return Math.max(0, leaves || /^(else|elif)\b/.test(after) ? indent - unit : indent);
    },
    languageData: { commentTokens: { line: "#" } },
  });
}

/** Reads a text up to its end, or that of the line. @param {import("@codemirror/language").StringStream} stream @param {Line} line */
function text(stream, line) {
  while (!stream.eol()) {
    if (stream.match(line.quote)) {
      line.quote = "";
      break;
    }
    if (stream.next() === "\\") stream.next();
  }
  if (line.quote.length === 1) line.quote = ""; // only three quotes span lines
  return "string";
}

/**
 * The first words of a scenario's lines, its numbers, its comments.
 * @param {import("./words.js").Words} words
 */
export function scenario({ actions }) {
  const verbs = new Set(actions.flatMap((action) => action.split(" ")));
  return StreamLanguage.define({
    name: "scenario",
    token(stream) {
      if (stream.eatSpace()) return null;
      if (stream.match(/^#.*/)) return "comment";
      if (stream.match(/^"(\\.|[^"\\])*"?/)) return "string";
      const first = stream.column() === stream.indentation();
      const word = /** @type {RegExpMatchArray} */ (stream.match(/^\S+/));
      if (first && verbs.has(word[0])) return "keyword";
      return /^-?\d/.test(word[0]) ? "number" : null;
    },
    languageData: { commentTokens: { line: "#" } },
  });
}

export const colours = syntaxHighlighting(HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: [tags.string, tags.number], color: "var(--code-literal)" },
  { tag: tags.comment, color: "var(--ink-quiet)" },
]));
