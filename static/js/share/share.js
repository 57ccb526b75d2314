/**
 * Shares a run as a link or a picture, and opens one from a file.
 */

import { select, toClipboard } from "../lib/clipboard.js";
import { element } from "../lib/element.js";
import { scenario as scenarioOf } from "../trace/log.js";
import { encode, linkTo } from "./fragment.js";
import { opening, words as wordsOf } from "./open.js";
import { pngFile, svgFile } from "./picture.js";

/** Characters that every chat and mail program leaves whole in a link. */
const LONG = 2_000;

/**
 * @param {HTMLElement} root  the details element of views.Share
 * @param {import("../run/run.js").Run} run
 * @param {() => SVGSVGElement} svg  the whole timeline, by itself
 */
export function share(root, run, svg) {
  const link = /** @type {HTMLInputElement} */ (element("share-link"));
  const long = element("share-long");
  const words = wordsOf();
  const { note, explain, open } = opening(/** @type {HTMLInputElement} */ (element("share-file")));
  let written = ""; // what the link was made from

  for (const section of root.querySelectorAll("[data-script]")) section.removeAttribute("data-script");
  const details = /** @type {HTMLDetailsElement} */ (root);
  details.addEventListener("toggle", () => details.open && attempt(write));
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    event.stopPropagation(); // the parts below stay open
    details.open = false;
    root.querySelector("summary")?.focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!root.contains(/** @type {Node} */ (event.target))) details.open = false;
  });
  link.addEventListener("focus", () => select(link));
  const player = /** @type {HTMLAnchorElement | null} */ (root.querySelector('a[download$=".html"]'));
  player?.addEventListener("click", here);
  element("share-copy").addEventListener("click", () => attempt(copy));
  element("share-svg").addEventListener("click", () => attempt(async () => save("svg", "image/svg+xml", svgFile(await drawn(), label(), carried()))));
  element("share-png").addEventListener("click", () => attempt(async () => save("png", "image/png", await pngFile(await drawn(), label(), carried()))));

  const scenario = () => scenarioOf(run.log);
  /** A link shows a whole run as far as it goes: only a position within it is shared. */
  const step = () => (run.position < run.tip ? String(run.position) : "");
  const shown = () => `${run.position} ${scenario()}`;

  /** The file that plays by itself opens where the page is. */
  function here() {
    if (!player) return;
    const address = new URL(player.href);
    address.searchParams.set("step", String(run.position));
    player.href = address.href;
  }

  /** Writes the link to the current position. */
  async function write() {
    here();
    await run.whole();
    const now = shown();
    link.value = linkTo(`${location.origin}${run.base}/p`, await encode(scenario()), step());
    written = now;
    long.hidden = link.value.length <= LONG;
    long.textContent = words.long.replace("{n}", String(link.value.length));
  }

  async function copy() {
    // An unchanged run needs no wait: some browsers copy only during the press itself.
    if (written !== shown()) await write();
    if (await toClipboard(link)) note(words.copied);
    else note(words.selected);
  }

  async function drawn() {
    await run.whole();
    return svg();
  }

  const label = () => ({ title: document.title.replace(/ – Lockstep$/, ""), address: location.origin + location.pathname });
  const carried = () => ({ scenario: scenario(), step: step() || "end", lang: run.lang }); // it opens as it is drawn

  /** @param {string} extension @param {string} type @param {BlobPart} content */
  function save(extension, type, content) {
    const name = `lockstep-${location.pathname.split("/").at(-1)}.${extension}`;
    const address = URL.createObjectURL(new Blob([content], { type }));
    const anchor = document.createElement("a");
    anchor.href = address;
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser may still be asking where to save it
    note(words.saved.replace("{name}", name));
  }

  /** @param {() => Promise<void>} what */
  const attempt = (what) => what().catch(explain);
  if (details.open) attempt(write); // the press that opened it has loaded this script

  return { open };
}
