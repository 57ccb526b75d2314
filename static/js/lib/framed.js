/**
 * A page in a frame of another site. A browser refuses its cookies there, so all that it asks for brings its visitor's
 * name; and only addresses with a prefix may stand in the frame. Elsewhere nothing changes an address.
 */

const facts = () => globalThis.document?.documentElement.dataset ?? {};

/** Reports whether the page stands in a frame. */
export const framed = () => facts().frame !== undefined;

/** Adds the visitor's name to an address that the page asks. @param {string} address */
export function named(address) {
  const { visitor } = facts();
  return visitor ? `${address}${address.includes("?") ? "&" : "?"}visitor=${visitor}` : address;
}

/**
 * Returns the address of a page of the site, for the place where this page stands.
 * @param {string} base  of the site
 * @param {string} path  of the page, with its query
 */
export function placed(base, path) {
  const { frame = "", tongue = "" } = facts();
  if (!frame) return base + path;
  const [before = "", fragment] = path.split("#", 2);
  const [place = "", query = ""] = before.split("?", 2);
  const fields = new URLSearchParams(query);
  fields.set("lang", tongue);
  return named(`${base}${frame}${place}?${fields}`) + (fragment === undefined ? "" : `#${fragment}`);
}
