/**
 * Puts what the reader can cause next on the stage: a request stands on its client's lane, where the picture draws its token, a
 * crash behind what the client does, and time at its axis. They are links, which have a name and the focus: the token itself is a drawing.
 *
 * @typedef {import("../timeline/timeline.js").Places} Places
 * @typedef {{client: string, does: string, says: string, name: string, to: string}} Press  (views/site.HomePress)
 */

/** From the playhead to what stands behind it, px. */
const GAP = 16;

/** The least distance from the edge of the stage, px. */
const EDGE = 4;

/** A token stands on a lane that is no farther away, px. */
const NEAR = 12;

/**
 * @param {HTMLElement} box  has the links
 * @param {HTMLElement} pane  of the picture
 */
export function pressesOf(box, pane) {
  /** @type {Places | undefined} */
  let places;
  const links = /** @type {HTMLAnchorElement[]} */ ([...box.querySelectorAll("[data-press]")]);
  box.classList.add("placed");

  /** @param {Press[]} presses @param {(to: string) => string} address */
  function offer(presses, address) {
    for (const link of links) {
      const n = presses.findIndex(({ client }) => client === link.dataset.press);
      link.hidden = n < 0;
      if (n < 0) continue;
      const { client, does, says, name, to } = presses[n];
      link.dataset.does = does;
      link.textContent = says;
      link.setAttribute("aria-label", name);
      link.setAttribute("aria-keyshortcuts", [client.slice(1), n === 0 ? "Space" : ""].join(" ").trim());
      link.classList.toggle("primary", presses.length === 1);
      link.href = address(to);
      link.dataset.to = to;
    }
  }

  /** Puts them where the picture now has room for them. */
  function put() {
    const line = pane.querySelector(".playhead-line");
    if (!places || !line) return;
    const stage = box.getBoundingClientRect();
    const corner = pane.getBoundingClientRect();
    const now = line.getBoundingClientRect();
    const right = places.axis === "x";
    // Of what is drawn, where along the axis and across it
    const along = right ? now.left + now.width / 2 : now.top + now.height / 2;
    const pills = [...pane.querySelectorAll(".token > .pill")].map((pill) => pill.getBoundingClientRect());
    let beside = 0; // what stands beside another below the axis does not lie over it
    for (const link of links) {
      if (link.hidden) continue;
      const { offsetWidth: width, offsetHeight: height } = link;
      const lane = places.lanes.find(({ name }) => name === link.dataset.press);
      const across = lane ? lane.at + (right ? corner.top : corner.left) : right ? places.axisAt + corner.top : corner.left + width / 2;
      const pill = pills.find(({ left, top, width: w, height: h }) => Math.abs((right ? top + h / 2 : left + w / 2) - across) < NEAR);
      const [x, y] = right
        ? [pill && link.dataset.does === "step" ? pill.left : along + GAP, across - height / 2]
        : [across - width / 2, along + GAP];
      const most = stage.width - width - EDGE;
      const below = beside > most ? height + EDGE : 0; // in a very narrow picture
      const left = Math.round(Math.max(below ? 0 : beside, EDGE, Math.min(x - stage.left, most)));
      link.style.left = `${left}px`;
      if (!right) beside = left + width + EDGE;
      link.style.top = `${Math.round(Math.max(EDGE, Math.min(y - stage.top + below, stage.height - height - EDGE)))}px`;
    }
  }

  pane.addEventListener("scroll", put, { passive: true });
  new ResizeObserver(() => requestAnimationFrame(put)).observe(pane); // the picture takes its size over first

  return {
    offer,
    put,
    /** @param {Places} now  the lanes stand there */
    places(now) {
      places = now;
      box.style.setProperty("--pitch", `${now.pitch}px`);
    },
  };
}
