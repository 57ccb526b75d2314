/**
 * The link to the other language leads to where the reader is by now: a page
 * that moves without being loaded anew is further than its address says.
 *
 * @param {Document} document
 * @param {() => Record<string, string | undefined>} place  the parameters of the address; undefined: none of that name
 */
export function otherLanguage(document, place) {
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a[hreflang]"));
  link?.addEventListener("click", () => {
    const address = new URL(link.href);
    for (const [name, value] of Object.entries(place())) {
      if (value === undefined) address.searchParams.delete(name);
      else address.searchParams.set(name, value);
    }
    link.href = address.href;
  });
}
