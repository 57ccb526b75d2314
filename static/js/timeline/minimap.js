/**
 * Shows the whole run at a glance: critical sections, violations, the playhead, and
 * the part in view. The reader can drag the frame. The pane itself scrolls by
 * keyboard, so the map is hidden from screen readers.
 *
 * @typedef {import("./plan.js").Plan} Plan
 */

import { layer } from "./draw.js";
import { boxed, crossed, line, path, rect } from "./shapes.js";

const HEIGHT = 40;
const LEAST = 2;

/**
 * @param {HTMLElement} parent
 * @param {{lang: "en" | "zh", onMove: (middle: number) => void, onResize: () => void}} options  middle: px along the axis
 */
export function minimap(parent, { lang, onMove, onResize }) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  parent.replaceChildren(svg);
  const run = document.createElementNS(svg.namespaceURI ?? "", "g");
  const now = document.createElementNS(svg.namespaceURI ?? "", "g");
  svg.append(run, now);
  svg.setAttribute("class", "minimap-picture");
  const drawRun = layer(run, lang);
  const drawNow = layer(now, lang);
  const plain = { playhead: Infinity, selected: () => false, hovered: 0, explained: 0, coming: null, taken: [] };
  let [width, length, head] = [1, 1, 0];
  let held = false;
  let pane = parent.clientWidth;
  new ResizeObserver(() => {
    if (parent.clientWidth === pane) return;
    pane = parent.clientWidth;
    onResize();
  }).observe(parent);

  /** @param {number} px */
  const place = (px) => ((px - head) / length) * width;

  /** @param {PointerEvent} event */
  function move(event) {
    const box = svg.getBoundingClientRect();
    onMove(head + ((event.clientX - box.left) / box.width) * length);
  }
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    held = true;
    svg.setPointerCapture(event.pointerId);
    move(event);
    event.preventDefault();
  });
  svg.addEventListener("pointermove", (event) => held && move(event));
  for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => (held = false));

  return {
    /** A new plan, or a new size of the pane or of this. @param {Plan} plan @param {import("./view.js").View} view */
    show(plan, view) {
      const found = plan.axis === "x" && plan.reach > view.width + 1 ? plan.outline?.() : undefined;
      parent.classList.toggle("idle", !found);
      if (!found) return;
      [width, length, head] = [pane / view.factor, plan.reach - plan.head, plan.head];
      svg.setAttribute("width", String(pane));
      svg.setAttribute("height", String(HEIGHT * view.factor));
      svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
      const pitch = (HEIGHT - 8) / Math.max(1, found.lanes.length);
      /** @param {number} lane */
      const y = (lane) => 4 + pitch * (lane + 0.5);
      const high = Math.max(1, Math.min(6, pitch - 1));
      let [bars, tints, crosses] = ["", "", ""];
      for (const s of found.sections) bars += boxed(place(s.from), y(s.lane) - high / 2, Math.max(LEAST, place(s.to) - place(s.from)), high);
      for (const v of found.violations) tints += boxed(place(v.from), 0, Math.max(LEAST, place(v.to) - place(v.from)), HEIGHT);
      for (const c of found.crashes) crosses += crossed(place(c.at), y(c.lane), 3);
      drawRun.draw([
        { key: "ground", seq: 0, class: "minimap-ground", title: null, shapes: [rect("minimap-ground", 0, 0, width, HEIGHT)] },
        { key: "bars", seq: 0, class: "decor", title: null, shapes: [path("minimap-inside", bars)] },
        { key: "violations", seq: 0, class: "decor", title: null, shapes: [path("minimap-violation", tints)] },
        { key: "crashes", seq: 0, class: "decor", title: null, shapes: [path("minimap-crash", crosses)] },
      ], plain);
    },

    /** The playhead, and the stretch in view. @param {number} playhead @param {number} from @param {number} to */
    move(playhead, from, to) {
      if (parent.classList.contains("idle")) return;
      const at = place(playhead);
      drawNow.draw([
        { key: "veil", seq: 0, class: "decor", title: null, shapes: [rect("veil", at, 0, Math.max(0, width - at), HEIGHT)] },
        { key: "playhead", seq: 0, class: "decor", title: null, shapes: [line("playhead-line", at, 0, at, HEIGHT)] },
        {
          key: "view", seq: 0, class: "decor", title: null,
          shapes: [rect("minimap-view", Math.max(1, place(from)), 1, Math.max(8, Math.min(width, place(to)) - Math.max(1, place(from)) - 1), HEIGHT - 2, 4)],
        },
      ], plain);
    },
  };
}
