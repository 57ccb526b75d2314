/**
 * How the editor looks: the tokens of the site, and no style element, which the pages' policy refuses. The rules go into a style sheet
 * that a script makes, in a layer below those of the page.
 */

import { EditorView } from "@codemirror/view";
import { StyleModule } from "style-mod";
import { indents } from "./hanging.js";

const sheet = new CSSStyleSheet();
/** @type {StyleModule[]} */
const mounted = [];

StyleModule.mount = (_, modules) => {
  const more = [modules].flat().filter((module) => !mounted.includes(module));
  if (more.length === 0) return;
  mounted.push(...more);
  sheet.replaceSync(`@layer page.codemirror {${mounted.map((module) => module.getRules()).join("\n")}}`);
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
};

export const look = EditorView.theme({
  "&": { width: "100%", border: "1px solid var(--rule)", color: "var(--ink)", backgroundColor: "var(--page)", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", fontVariantLigatures: "none", lineHeight: "1.25rem" },
  ".cm-content": { caretColor: "var(--ink)", padding: "4px 0" },
  ".cm-line": { paddingRight: "8px" },
  ...indents,
  ".cm-gutters": { backgroundColor: "transparent", border: "0", color: "var(--ink-quiet)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.25rem", padding: "0 4px 0 8px" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--band)", fontWeight: "700" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--violation-tint)", color: "var(--violation-ink)", fontWeight: "700" },
  ".cm-wrong-line, .cm-says": { backgroundColor: "var(--violation-tint)" },
  ".cm-wrong": { textDecoration: "underline wavy var(--violation)", textDecorationSkipInk: "none", textUnderlineOffset: "3px" },
  ".cm-says": { padding: "2px 8px 4px", color: "var(--violation-ink)", fontFamily: "var(--font-ui)", overflowWrap: "anywhere", whiteSpace: "normal" },
  ".cm-tooltip": { border: "1px solid var(--rule)", borderRadius: "4px", backgroundColor: "var(--panel)", color: "var(--ink)", zIndex: "6" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-mono)", fontVariantLigatures: "none", maxHeight: "12rem", maxWidth: "min(26rem, 100vw - 32px)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "4px 8px", lineHeight: "1.25rem", overflowWrap: "anywhere", whiteSpace: "normal" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--ink-inverse)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionDetail": { marginLeft: "0", fontStyle: "normal", opacity: "0.8" },
  "@media (forced-colors: active)": {
    ".cm-tooltip-autocomplete ul li[aria-selected]": { forcedColorAdjust: "none", backgroundColor: "Highlight", color: "HighlightText" },
    "&.cm-focused .cm-matchingBracket": { textDecoration: "underline 2px" },
  },
  "@media (pointer: coarse)": {
    "&": { fontSize: "1rem" }, // a smaller one has a phone zoom in
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "10px 8px" },
  },
});
