/**
 * Does something once before the next frame is painted, however often it is
 * asked for until then. To ask the page for a size makes the browser lay it out:
 * done here, that happens once, after everything has been changed.
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
