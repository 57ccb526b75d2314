/**
 * Draws the pictures on the wall. A tile is drawn when it comes into view, and again
 * when its run has gone on; the others cost nothing. Few runs are fetched at once: a
 * wall of hundreds is no load for the server.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {{svg: SVGElement, layer: ReturnType<typeof layer>, events: Event[], actions: number}} Picture  actions: of the run as it was fetched
 */

import { layer, svgNode } from "../timeline/draw.js";
import { marks } from "../timeline/model.js";
import { tile as tileOf } from "../timeline/tile.js";

/** Runs that are fetched at once. */
const MOST = 4;

/** Distance below the view at which a picture is drawn already. */
const AHEAD = "200px";

const plain = { playhead: Infinity, selected: () => false, hovered: 0, explained: 0, coming: null, taken: [] };

/** @param {{lang: "en" | "zh", address: (path: string) => string}} options  address: where the events of a run are */
export function pictures({ lang, address }) {
  /** @type {WeakMap<HTMLElement, Picture>} */
  const drawn = new WeakMap();
  /** @type {Set<HTMLElement>} */
  const inView = new Set();
  /** Tiles that wait to be fetched, in the order in which they came into view. @type {Set<HTMLElement>} */
  const queue = new Set();
  /** @type {Set<HTMLElement>} */
  const fetching = new Set();
  /** @type {WeakSet<HTMLElement>} */
  const watched = new WeakSet();
  let size = { width: 0, height: 0 };

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const tile = /** @type {HTMLElement} */ (target);
      if (isIntersecting) {
        inView.add(tile);
        want(tile);
      } else {
        inView.delete(tile);
        queue.delete(tile);
      }
    }
  }, { rootMargin: AHEAD });

  // All tiles have the same width.
  const measure = new ResizeObserver(([{ contentRect: { width, height } }]) => {
    if (!width || (width === size.width && height === size.height)) return;
    size = { width, height };
    for (const tile of inView) draw(tile);
  });
  /** @type {Element | null} */
  let measured = null;

  /** @param {HTMLElement} tile */
  const actionsOf = (tile) => Number(tile.dataset.actions);

  /** @param {HTMLElement} tile */
  function want(tile) {
    if (drawn.get(tile)?.actions !== actionsOf(tile) && !fetching.has(tile)) queue.add(tile);
    pump();
  }

  function pump() {
    for (const tile of queue) {
      if (fetching.size >= MOST) return;
      queue.delete(tile);
      fetching.add(tile);
      load(tile).finally(() => {
        fetching.delete(tile);
        if (inView.has(tile)) want(tile); // it may have gone on meanwhile
        else pump();
      });
    }
  }

  /** @param {HTMLElement} tile */
  async function load(tile) {
    const actions = actionsOf(tile);
    const picture = drawn.get(tile) ?? made(tile);
    picture.actions = actions; // also after a failure: the next change fetches it again
    try {
      const answer = await fetch(address(tile.dataset.path ?? ""));
      if (!answer.ok) return;
      picture.events = (await answer.json()).events;
    } catch {
      return; // without a connection the picture stays as it is
    }
    draw(tile);
  }

  /** @param {HTMLElement} tile @returns {Picture} */
  function made(tile) {
    const svg = svgNode("svg");
    svg.setAttribute("class", "timeline");
    tile.querySelector(".tile-picture")?.replaceChildren(svg);
    const picture = { svg, layer: layer(svg, lang), events: [], actions: -1 };
    drawn.set(tile, picture);
    return picture;
  }

  /** @param {HTMLElement} tile */
  function draw(tile) {
    const picture = drawn.get(tile);
    if (!picture || !size.width) return;
    const { width, height, groups } = tileOf(marks(picture.events), size);
    picture.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    picture.layer.draw(groups, plain);
  }

  return {
    /** Takes in the current tiles; some may be new, or have gone on. @param {HTMLElement[]} tiles */
    watch(tiles) {
      for (const tile of tiles) {
        if (!watched.has(tile)) {
          watched.add(tile);
          observer.observe(tile);
        } else if (inView.has(tile)) want(tile);
      }
      for (const tile of inView) if (!tile.isConnected) inView.delete(tile);
      const one = tiles.find((tile) => !tile.hidden)?.querySelector(".tile-picture") ?? null;
      if (one === measured) return;
      if (measured) measure.unobserve(measured);
      measured = one;
      if (one) measure.observe(one);
    },
  };
}
