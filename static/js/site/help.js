import { text } from "../lib/text.js";

/**
 * Opens the help over the page, and leaves the focus where it was. Its text comes when it is first asked for. Its table
 * lists the keys of the buttons on this page.
 *
 * @param {Document} document
 * @param {string} lang  of the page
 */
export function help(document, lang) {
  const dialog = document.querySelector("#help");
  if (!(dialog instanceof HTMLDialogElement)) return;

  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("#help-open"));
  link?.addEventListener("click", async (event) => {
    event.preventDefault(); // the page at its address is for those without scripts
    const later = dialog.querySelector("#help-later");
    const shown = later && (await text(`${link.href}?text&lang=${lang}`).catch(() => "")); // if it does not come, a link stays
    if (shown) later.outerHTML = shown;
    for (const row of dialog.querySelectorAll("[data-of]")) {
      const of = row.getAttribute("data-of");
      row.toggleAttribute("hidden", Boolean(of) && !document.querySelector(`${of}:not([hidden])`));
    }
    dialog.showModal();
    dialog.scrollTop = 0;
  });
  dialog.querySelector("#help-close")?.addEventListener("click", (event) => {
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && outside(dialog, event)) dialog.close();
  });
}

/** Reports whether the backdrop was pressed, which counts as the dialog. @param {Element} dialog @param {MouseEvent} event */
function outside(dialog, { clientX, clientY }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
