/**
 * The page where the reader fixes a program: draws what breaks it, and remembers a solution.
 */

import { element } from "../lib/element.js";
import { field } from "../lib/field.js";
import { pictures } from "../explore/pictures.js";
import { show } from "../explore/shape.js";
import { keys } from "../site/keys.js";
import { settings, speed } from "../site/settings.js";
import { drawers } from "../stage/drawers.js";
import { downHere } from "../timeline/downwards.js";
import { progress } from "./progress.js";

/** @type {{lang: "en" | "zh", timeline: import("../timeline/layout.js").Words, words: import("../explore/pictures.js").Says, counterexamples: import("../explore/socket.js").Pictured[]}} */
const begin = JSON.parse(element("explore-data").textContent ?? "");
const page = element("mend");
await downHere();
const drawn = pictures(page, { lang: begin.lang, words: begin.timeline, says: begin.words, speed: () => speed(document) });
const { course = "", lesson = "", challenge = "", solved } = page.dataset;
const source = /** @type {HTMLTextAreaElement} */ (element("mend-source"));

drawers(document, { first: "question", asks: solved === undefined, changed: drawn.resize });
settings(document, { changed: drawn.resize });
keys(document, drawn.held);
drawn.show(begin.counterexamples);
show(page.querySelector(".shape"));
if (solved !== undefined) progress().solved(course, lesson, challenge, 0);

const { line, column } = source.dataset;
const program = field(source);
program.edit();
if (Number(line) > 0) program.point(Number(line), Number(column), element("mend-refusal").textContent?.trim());
else if (document.querySelector("#verdict")) element("outcome").focus();
