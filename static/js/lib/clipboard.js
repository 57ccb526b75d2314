/**
 * Over plain http only localhost has the clipboard API; elsewhere the old command
 * copies.
 * @param {HTMLInputElement} field
 * @returns {Promise<boolean>}  whether it is on the clipboard
 */
export async function toClipboard(field) {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(field.value);
      return true;
    }
  } catch {
    // not allowed here: the command below may be
  }
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  select(field);
  if (!document.execCommand("copy")) return false;
  before?.focus();
  return true;
}

/** Selects a field's text, with its beginning in view. @param {HTMLInputElement} field */
export function select(field) {
  if (document.activeElement !== field) field.focus();
  field.setSelectionRange(0, field.value.length, "backward");
}
