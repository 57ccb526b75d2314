/**
 * Makes the link to the other language lead to where the reader is: a page that
 * changes without loading is further than its address.
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
