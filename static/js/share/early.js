/**
 * Takes the file that is dropped on a page before the script for it has come: few readers
 * drop one, so the script loads when a file is dragged over the page.
 */

/**
 * @template {{open: (file: File | undefined) => unknown}} Taker
 * @param {() => Promise<Taker>} load  the script, which then listens by itself
 * @returns {() => Promise<Taker>}  loads it once
 */
export function early(load) {
  /** @type {Promise<Taker> | undefined} */
  let loading;
  let listens = false;
  const loaded = () => (loading ??= load().then((taker) => {
    listens = true;
    return taker;
  }));
  // Text that is dragged into a field is left to the browser.
  /** @param {DragEvent} event */
  const brings = ({ dataTransfer }) => dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragenter", (event) => brings(event) && loaded());
  addEventListener("dragover", (event) => brings(event) && event.preventDefault());
  addEventListener("drop", async (event) => {
    if (listens || !brings(event)) return;
    event.preventDefault();
    const file = event.dataTransfer?.files[0]; // the event is over when the script has come
    (await loaded()).open(file);
  });
  return loaded;
}
