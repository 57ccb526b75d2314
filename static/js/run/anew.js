/** A new run may have any built-in program. The page lists them once, for the same schedule: its head's menu takes that list. */

import { element } from "../lib/element.js";

const form = element("anew");
const all = /** @type {Element} */ (document.querySelector("#rerun-form .programs")?.cloneNode(true));
for (const family of all.children) if (family.querySelector("legend")?.textContent === form.dataset.without) family.remove();
form.append(all);
