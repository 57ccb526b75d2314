/**
 * Puts the cursor where a text is wrong.
 * @param {HTMLTextAreaElement} field
 * @param {number} line  counted from 1
 * @param {number} column  counted from 1
 */
export function putCaret(field, line, column) {
  const before = field.value.split("\n").slice(0, line - 1).reduce((length, text) => length + text.length + 1, 0);
  const at = before + Math.max(0, column - 1);
  field.focus();
  field.setSelectionRange(at, at);
}
