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
const { course = "", lesson = "", challenge = "", solved, answered } = page.dataset;
const source = /** @type {HTMLTextAreaElement} */ (element("mend-source"));

const { line, column } = source.dataset;
const program = field(source);
drawers(document, { first: "program", changed: () => {
  drawn.resize();
  if (source.checkVisibility()) program.edit();
} });
const edit = document.getElementById("mend-edit");
if (edit) {
  edit.hidden = false;
  edit.addEventListener("click", () => {
    element("open-drawers").click();
    source.focus();
  });
}
settings(document, { changed: drawn.resize });
keys(document, drawn.held);
drawn.show(begin.counterexamples);
show(page.querySelector(".shape"));
if (solved !== undefined) progress().solved(course, lesson, challenge, 0);

if (Number(line) > 0) program.point(Number(line), Number(column), element("mend-refusal").textContent?.trim());
else if (answered !== undefined) element("outcome").focus();
