/**
 * Puts what can be done where it happens: a client's buttons on its lane, the next
 * client under the last lane, time at the axis, and Redis' faults at Redis. The
 * picture says where its lanes are; the server renders the buttons, and without
 * this script they are a list.
 *
 * @typedef {import("../timeline/timeline.js").Places} Places
 */

/** The font size, px, at which a px of the picture is one of the page. */
const USUAL = 16;

/** A row of buttons is half as high, px. */
const HALF = 20;

/** Between the last client's lane and that of Redis there is room for a button, px. */
const ROOM = 84;

/** The width of a column in which two buttons stand side by side, px. */
const TWO = 84;

/** Lanes so close have no room for a command line, px. */
const TIGHT = 88;

/** Lanes so close have no room for rows of buttons of the usual size, px. */
const CLOSE = 40;

/**
 * @param {HTMLElement} tools  holds the forms
 * @param {HTMLElement} pane  of the picture
 */
export function laneTools(tools, pane) {
  /** @type {Places | undefined} */
  let last;

  /** @param {HTMLElement} element @param {Record<string, number>} to  px */
  function put(element, to) {
    for (const side of ["left", "top", "right", "bottom"]) element.style.setProperty(side, side in to ? `${to[side]}px` : "auto");
  }

  /** A menu beside a lane opens to the larger half of the picture, and scrolls in what is above. @param {HTMLElement} element @param {number} at  px, the lane's place */
  function opensBeside(element, at) {
    const up = at > pane.clientHeight / 2;
    opens(element, up ? "up" : "down", "right");
    element.style.setProperty("--room", up ? `${at}px` : "60vh");
  }

  /** A menu opens to where there is room. @param {HTMLElement} element @param {"up" | "down"} along @param {"left" | "right"} across */
  function opens(element, along, across) {
    const [top, bottom] = along === "down" ? ["100%", "auto"] : ["auto", "100%"];
    const [right, left] = across === "left" ? ["0", "auto"] : ["auto", "0"];
    element.style.setProperty("--menu", `${top} ${right} ${bottom} ${left}`);
  }

  /** @param {Places} places */
  function place(places) {
    last = places;
    tools.classList.add("placed");
    put(tools, { left: pane.offsetLeft, top: pane.offsetTop });
    tools.style.width = `${pane.clientWidth}px`;
    tools.style.height = `${pane.clientHeight}px`;
    tools.dataset.axis = places.axis;
    if (places.axis === "x") beside(places);
    else above(places);
  }

  const all = () => /** @type {NodeListOf<HTMLElement>} */ (tools.querySelectorAll(".client"));
  /** @param {string} selector */
  const one = (selector) => /** @type {HTMLElement | null} */ (tools.querySelector(selector));

  /** px of the page for one of the picture: the reader chooses the size of letters. */
  const factorOf = () => parseFloat(getComputedStyle(pane).fontSize) / USUAL || 1;

  /** Time runs to the right: the heads of the lanes stand at the left. @param {Places} places */
  function beside({ lanes, head, axisAt, pitch }) {
    const factor = factorOf();
    const half = pitch < CLOSE * factor ? pitch / 2 : HALF * factor;
    const edge = Math.max(0, axisAt - (2 * HALF - 8) * factor); // flags stand under the axis
    tools.style.setProperty("--tool", `${2 * half}px`);
    tools.style.setProperty("--head", `${head}px`);
    tools.toggleAttribute("data-tight", pitch < TIGHT * factor);
    for (const client of all()) {
      const lane = lanes.find(({ name }) => name === client.dataset.client);
      client.style.display = lane?.seen ? "" : "none";
      if (lane) put(client, { left: 0, top: lane.at - half });
      opensBeside(client, lane?.at ?? 0);
    }
    const clients = lanes.filter(({ node }) => !node);
    const redis = lanes.find(({ node }) => node);
    const under = clients.at(-1)?.at ?? 0;
    const spawn = one(".spawn");
    if (spawn && redis) {
      const lower = tools.querySelector(".lane-label") ? 48 : 36; // who a client is may take two lines
      const roomy = clients.length > 0 && redis.at - under >= (ROOM + lower - 36) * factor;
      put(spawn, { left: 8, top: roomy ? under + lower * factor : edge }); // the keys' names stand below
      opens(spawn, roomy ? "up" : "down", "right");
    }
    const faults = one("#faults");
    if (faults && redis) {
      put(faults, { left: 0, top: redis.at - HALF * factor });
      opensBeside(faults, redis.at);
    }
    time({ top: edge });
  }

  /** Time runs downwards: the heads stand above, and a client's token is its step. @param {Places} places */
  function above({ lanes, head, pitch }) {
    const factor = factorOf();
    const size = 44 * factor;
    const narrow = pitch < TWO * factor;
    const wide = Math.max(40 * factor, Math.min(size, narrow ? pitch : pitch / 2));
    tools.toggleAttribute("data-narrow", narrow);
    tools.style.setProperty("--tool", `${size}px`);
    tools.style.setProperty("--tool-width", `${wide}px`);
    for (const client of all()) {
      const lane = lanes.find(({ name }) => name === client.dataset.client);
      client.style.display = lane ? "" : "none";
      if (!lane) continue;
      put(client, { left: Math.max(0, lane.at - (narrow ? wide / 2 : wide)), top: head - size });
      opens(client, "down", lane.at > pane.clientWidth / 2 ? "left" : "right");
    }
    const redis = lanes.find(({ node }) => node);
    const faults = one("#faults");
    if (faults && redis) {
      put(faults, { left: Math.min(pane.clientWidth - size, redis.at - size / 2), top: head - size });
      opens(faults, "down", "left");
    }
    const spawn = one(".spawn");
    if (spawn) {
      put(spawn, { left: 8, bottom: 8 });
      opens(spawn, "up", "right");
    }
    time({ bottom: 8 });
  }

  /** The buttons that let time pass stand at the right end of the axis. @param {Record<string, number>} at */
  function time(at) {
    const times = one(".times");
    if (times) put(times, { ...at, right: 8 });
  }

  // The server's panels bring new buttons, which have no place yet.
  const again = () => last && place(last);
  new MutationObserver(again).observe(tools, { childList: true, subtree: true });
  new ResizeObserver(again).observe(pane); // where time runs down, the lanes stay where they are

  return { place };
}
