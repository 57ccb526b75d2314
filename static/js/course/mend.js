/**
 * The page where the reader fixes a program: draws what breaks it, and remembers a solution.
 */

import { putCaret } from "../lib/caret.js";
import { element } from "../lib/element.js";
import { pictures } from "../explore/pictures.js";
import { keys } from "../site/keys.js";
import { progress } from "./progress.js";
import { settings } from "../site/settings.js";

/** @type {{lang: "en" | "zh", timeline: import("../timeline/layout.js").Words, words: Record<string, string>, counterexamples: import("../explore/socket.js").Pictured[]}} */
const begin = JSON.parse(element("explore-data").textContent ?? "");
const drawn = pictures(element("outcome"), { lang: begin.lang, words: begin.timeline });
const { course = "", lesson = "", challenge = "", solved } = element("mend").dataset;
const source = /** @type {HTMLTextAreaElement} */ (element("mend-source"));

settings(document, { changed: drawn.resize });
keys(document);
drawn.show(begin.counterexamples);
if (solved !== undefined) progress().solved(course, lesson, challenge, 0);

const { line, column } = source.dataset;
if (Number(line) > 0) putCaret(source, Number(line), Number(column));
else if (document.querySelector("#outcome .verdict")) element("outcome").focus();
