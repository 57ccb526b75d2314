/**
 * Says at a pressed control what has become of the press while its answer is out: first that it is being sent, and
 * then that the page connects again. The words stand at the control's upper edge, over everything, and move nothing.
 */

/** Most answers come before anybody asks, ms. */
const SENDING_MS = 300;

/** An answer that takes this long will come after a new connection, ms. */
const RECONNECTING_MS = 3_000;

/**
 * Returns what is to be said of a press.
 * @param {number} ms  since the press
 * @param {boolean} [connected]  the page has been connected before: else it cannot connect again
 * @returns {"" | "sending" | "reconnecting"}
 */
export const stageOf = (ms, connected = true) => (ms < SENDING_MS ? "" : ms < RECONNECTING_MS || !connected ? "sending" : "reconnecting");

/**
 * @param {Record<string, string | undefined>} words  sending and reconnecting
 * @param {() => boolean} busy  an answer is out
 * @param {(control: HTMLElement) => Element | null} [seenAt]  where a control is that nobody sees
 * @param {() => boolean} [connected]  the page has been connected before
 */
export function sent(words, busy, seenAt = () => null, connected = () => true) {
  /** @typedef {{control: HTMLElement, at: number, flag: HTMLElement}} Press */
  /** @type {Press[]} */
  let presses = [];
  let following = false;

  /** A panel that has come again has the control under the same id. @param {Press} press */
  function where(press) {
    const { control } = press;
    if (!control.isConnected) press.control = document.getElementById(control.id || "-") ?? control;
    const box = press.control.getBoundingClientRect();
    return box.width > 4 ? box : seenAt(press.control)?.getBoundingClientRect();
  }

  function follow() {
    if (!busy()) clear();
    following = presses.length > 0;
    if (!following) return;
    for (const press of presses) {
      const stage = stageOf(performance.now() - press.at, connected());
      const box = stage && where(press);
      press.flag.hidden = !box || box.width === 0;
      if (!box) continue;
      if (press.flag.textContent !== words[stage]) press.flag.textContent = words[stage] ?? "";
      const { offsetWidth: width, offsetHeight: height } = press.flag;
      press.flag.style.left = `${Math.max(4, Math.min(innerWidth - width - 4, box.right - width - 4))}px`;
      press.flag.style.top = `${Math.max(4, Math.min(innerHeight - height - 4, box.top - height / 2))}px`;
    }
    requestAnimationFrame(follow);
  }

  function clear() {
    for (const { flag } of presses) flag.remove();
    presses = [];
  }

  return {
    /** @param {HTMLElement | null | undefined} control */
    press(control) {
      if (!control) return;
      presses.find((press) => press.control === control)?.flag.remove();
      presses = presses.filter((press) => press.control !== control);
      const flag = document.createElement("span");
      flag.className = "press-says";
      flag.setAttribute("role", "status");
      flag.hidden = true;
      document.body.append(flag);
      presses.push({ control, at: performance.now(), flag });
      setTimeout(() => following || follow(), SENDING_MS);
    },
    clear,
  };
}
