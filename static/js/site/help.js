/**
 * Opens the help over the page, and leaves the focus where it was. Its table lists
 * the keys of the buttons on this page.
 *
 * @param {Document} document
 */
export function help(document) {
  const dialog = document.querySelector("#help");
  if (!(dialog instanceof HTMLDialogElement)) return;

  document.querySelector("#help-open")?.addEventListener("click", (event) => {
    event.preventDefault(); // the address of the link is for those without scripts
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
