/**
 * Reads what the server tells of a panel: its HTML, or how that has changed since the last message of the socket. HTML is
 * a sequence of pieces, each of which begins with a tag. A text in a change stands for itself, and two numbers for pieces
 * of the old HTML: the first piece, and how many.
 *
 * @typedef {(string | number)[]} Change
 */

/** Returns the HTML of a panel. @param {string} before  the HTML until now @param {string | Change} told */
export function changed(before, told) {
  if (typeof told === "string") return told;
  const pieces = before.split(/(?=<)/);
  let html = "";
  for (let i = 0; i < told.length; i++) {
    const part = told[i];
    html += typeof part === "string" ? part : pieces.slice(part, part + Number(told[++i])).join("");
  }
  return html;
}

/**
 * Returns a function that reads the panels of a socket's messages, one message after the other.
 * @returns {(message: {type: string, panels: Record<string, string | Change>}) => Record<string, string>}
 */
export function panelReader() {
  /** The HTML of each panel that the socket follows. @type {Record<string, string>} */
  const last = {};
  return ({ type, panels }) => {
    const read = Object.fromEntries(Object.entries(panels).map(([id, told]) => [id, changed(last[id], told)]));
    if (type !== "view") Object.assign(last, read); // a view tells of another position
    return read;
  };
}
