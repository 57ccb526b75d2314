/**
 * Does something once before the browser paints the next frame, however often it is
 * requested until then. Reading a size makes the browser lay out the page: here that
 * happens once, after all changes.
 * @param {() => void} act
 * @returns {() => void}
 */
export function beforePaint(act) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      act();
    });
  };
}
