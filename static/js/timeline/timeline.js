/**
 * The timeline: events → marks → plan → SVG. It draws a window of the plan, and the
 * playhead moves over it.
 *
 * The words it takes, for the catalogue:
 *
 *   key                        English                    中文
 *   timeline                   Timeline                   时间线
 *   waits                      waits                      等待中
 *   asleep                     asleep                     休眠中
 *   inside                     inside                     临界区内
 *   releasing                  releasing                  释放中
 *   done                       done                       已结束
 *   crashed                    crashed                    已崩溃
 *   down                       down                       已宕机
 *   failed                     failed                     已出错
 *   paused                     paused                     停顿
 *   expired                    expired                    已过期
 *   until                      until {time}               至 {time}
 *   lost                       lost                       丢失
 *   storage                    Storage                    存储
 *   accepted                   accepted {n}               已接受 {n}
 *   rejected                   rejected {n}               已拒绝 {n}
 *   cause                      the cause                  起因
 *   diverges                   differs from here          从这里开始不同
 *
 * {n} of a write is its fencing token.
 *
 * Under property it takes a flag for each property, by its name: {clients} are the clients of a violation, {n} is their
 * number, {a} and {b} are the first two. engine/check has them.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {import("./layout.js").Words} Words
 * @typedef {import("./plan.js").Plan} Plan
 * @typedef {import("./shapes.js").Group} Group
 */

import { layer, svgNode } from "./draw.js";
import { history } from "./history.js";
import { layout } from "./layout.js";
import { marks } from "./model.js";
import { divergence, playhead, pointer } from "./overlay.js";
import { pointing } from "./pointing.js";
import { roving } from "./roving.js";
import { approximate } from "./text.js";
import { viewOf } from "./view.js";
import { layout as layoutDown } from "./vertical/layout.js";
import { whole } from "./whole.js";

const COLUMN = 48;

/** How far one can zoom in; and with one press of a button. */
const CLOSEST = 4;
const STEP = 1.5;

/** Steps in which the fitting zoom is found: the parts beside the playhead do not shrink with the rest. */
const CLOSER = 3;

/** A run that is opened is shown whole if it need not be smaller than that: then most words still have room. */
const WHOLE = 0.5;

/** Space to be seen before and after the playhead, px. */
const AROUND = { before: 64, after: 160 };

/** Narrow and higher than wide: time runs downwards. */
const PHONE = 560;

/**
 * @param {HTMLElement} root  has the pane (.picture with an svg) and, if wanted, controls (data-timeline) and, for a minimap, .minimap
 * @param {object} options
 * @param {"en" | "zh"} options.lang
 * @param {Words} options.words
 * @param {boolean} [options.opensWhole]  a run that is opened is shown whole, if it need not be too small for that
 * @param {typeof import("./minimap.js").minimap} [options.minimap]  handed in, so that who wants none need not load it
 * @param {(seq: number) => void} [options.onSelect]  0: nothing
 * @param {(seq: number) => void} [options.onHover]  0: nothing
 */
export function timeline(root, { lang, words, opensWhole = true, minimap, onSelect = () => {}, onHover = () => {} }) {
  const pane = /** @type {HTMLElement} */ (root.querySelector(".picture"));
  const svg = /** @type {SVGSVGElement} */ (pane.querySelector("svg"));
  const headsSvg = /** @type {SVGSVGElement} */ (svgNode("svg"));
  pane.append(headsSvg);
  svg.setAttribute("class", "timeline");
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", words.timeline);
  headsSvg.setAttribute("class", "timeline heads");
  headsSvg.setAttribute("aria-hidden", "true");
  const groups = ["ground", "veils", "words", "now"].map(() => svgNode("g"));
  svg.append(...groups);
  const [ground, veils, said, now] = groups.map((g) => layer(g, lang));
  const heads = layer(headsSvg, lang);
  const states = history();

  /** @type {Event[]} */
  let log = [];
  let model = marks([]);
  /** @type {Plan} */
  let plan = layout(model, { words, measure: approximate, columnWidth: COLUMN, width: 0 });
  let at = 0; // seq of the last event that has happened
  let differs = 0;
  let zoom = 1;
  let fitted = false; // the zoom was chosen to show the whole run
  let least = 0; // so long is the room for the picture, at least: as another's beside which it is scrolled
  /** @type {"steps" | "real"} */
  let scale = "steps";
  let selected = 0;
  let hovered = 0;
  let explained = 0; // seq of the guilty event that is pointed at; 0: none
  const drawn = { from: 0, to: -1 };
  const { view, scroll, resize } = viewOf(pane, { onScroll: scrolledBy, onResize: resized });

  const map = minimap?.(/** @type {HTMLElement} */ (root.querySelector(".minimap")), {
    lang,
    onMove: (middle) => scrollTo(middle - inView() / 2 - plan.head),
    onResize() {
      map?.show(plan, view);
      moveMap();
    },
  });

  // The plan

  function replan() {
    const { width, height } = view;
    plan = (width <= PHONE && height > width ? layoutDown : layout)(model, {
      words, measure: approximate, columnWidth: COLUMN, width, height, scroll: view.top, zoom, scale,
    });
    sized(svg, plan.width, plan.height);
    if (plan.axis === "x") sized(headsSvg, plan.head, plan.height);
    else sized(headsSvg, plan.width, plan.head);
    root.setAttribute("data-axis", plan.axis);
    makeRoom();
    // Of a shorter picture less can be scrolled.
    if (scrolled() > mostScrolled()) scroll(plan.axis, mostScrolled());
    map?.show(plan, view);
  }

  /** Returns the scroll position along the axis. */
  const scrolled = () => (plan.axis === "x" ? view.left : view.top);

  /** Returns the length of the picture along the axis. */
  const long = () => (plan.axis === "x" ? plan.width : plan.height);

  const mostScrolled = () => Math.max(0, Math.max(least, long()) - (plan.axis === "x" ? view.width : view.height));

  function makeRoom() {
    const room = `${Math.max(0, least - long()) * view.factor}px`;
    svg.style.marginRight = plan.axis === "x" ? room : "0px";
    svg.style.marginBottom = plan.axis === "y" ? room : "0px";
  }

  /** Returns how much of the axis is in view beside the heads. */
  const inView = () => (plan.axis === "x" ? view.width : view.height) - plan.head;

  /** @param {number} px */
  function scrollTo(px) {
    const to = Math.round(Math.max(0, Math.min(px, mostScrolled())));
    if (to === scrolled()) return;
    scroll(plan.axis, to);
    if (outOfWindow()) draw();
    else moveMap();
  }

  /** @param {Element} node @param {number} width @param {number} height */
  function sized(node, width, height) {
    node.setAttribute("width", String(width * view.factor));
    node.setAttribute("height", String(height * view.factor));
    node.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }

  // Drawing

  const outOfWindow = () => scrolled() + plan.head < drawn.from || scrolled() + plan.head + inView() > drawn.to;

  /** Draws the stretch in view and a quarter on each side. */
  function draw() {
    const from = scrolled() + plan.head;
    const margin = inView() / 4;
    [drawn.from, drawn.to] = [from - margin, from + inView() + margin];
    const all = plan.groups(drawn.from, drawn.to);
    const look = dressed();
    ground.draw(all.filter((g) => !g.layer && g.class !== "head"), look);
    said.draw(all.filter((g) => g.layer === "words"), look);
    if (!plan.heads) heads.draw(all.filter((g) => g.class === "head"), look);
    keys.settle(at);
    moveMap();
  }

  /** Draws what depends only on the playhead. */
  function drawNow() {
    const px = plan.after(at);
    const state = states.at(at);
    if (plan.heads) heads.draw(plan.heads(state), plain());
    const stay = { top: view.top, bottom: plan.axis === "x" ? Math.min(plan.height, view.top + view.height) : plan.height };
    veils.draw(playhead(plan, px, stay), plain());
    const waiting = plan.waiting?.(state, px) ?? [];
    taken = waiting.flatMap((g) => g.shapes.flatMap((s) => (s.kind === "text" ? [s.box] : [])));
    now.draw([...waiting, ...divergence(plan, differs, { words, measure: approximate }, stay), ...pointer(plan, selected, stay)], plain());
    dress();
    moveMap();
  }

  /** @type {import("./shapes.js").Box[]} */
  let taken = [];

  const plain = () => ({ playhead: at, selected: () => false, hovered: 0, explained: 0, taken: [] });

  /** @returns {import("./draw.js").View} */
  const dressed = () => {
    const chosen = markOf(selected);
    return { playhead: at, selected: (seq) => seq === chosen, hovered: markOf(hovered), explained, taken };
  };

  function dress() {
    const look = dressed();
    ground.dress(look);
    said.dress(look);
  }

  function moveMap() {
    map?.move(plan.after(at), scrolled() + plan.head, scrolled() + plan.head + inView());
  }

  /** The seq of the mark that shows an event: its own or, when it has none, that of the one before it in its column.
   * @param {number} seq
   */
  function markOf(seq) {
    if (seq === 0) return 0;
    const here = plan.place(seq);
    let nearest = 0;
    for (const one of [ground, said]) {
      for (const { group } of one.drawn().values()) {
        if (group.seq <= seq && group.seq > nearest && plan.place(group.seq) === here) nearest = group.seq;
      }
    }
    return nearest;
  }

  // Moving the view

  /** @param {{x: boolean, y: boolean}} moved */
  function scrolledBy({ y }) {
    if (plan.axis === "x" && y) { // what stays has moved along
      replan();
      draw();
      drawNow();
    } else if (outOfWindow()) draw();
    else moveMap();
  }

  /** @param {() => void} change */
  function resized(change) {
    const following = isInView(plan.after(at));
    const { axis } = plan;
    change();
    replan();
    if (plan.axis !== axis) scroll(axis, 0); // a phone was turned: what was along time is across it now
    if (fitted) showWhole();
    drawn.to = -1;
    if (following) bringPlayhead();
    draw();
    drawNow();
  }

  /** Scrolls as little as brings a stretch into view.
   * @param {number} from @param {number} to px
   */
  function bring(from, to) {
    const left = scrolled() + plan.head;
    if (to > left + inView()) scrollTo(to - inView() - plan.head);
    else if (from < left) scrollTo(from - plan.head);
  }

  function bringPlayhead() {
    const px = plan.after(at);
    const after = at === log.length ? plan.reach - px : AROUND.after;
    bring(px - AROUND.before, px + Math.min(after, inView() / 2));
  }

  /** @param {number} px */
  const isInView = (px) => px >= scrolled() + plan.head && px <= scrolled() + plan.head + inView();

  /** @param {number} wanted @param {number} [pinned]  px from the edge of the pane that keeps its place */
  function zoomTo(wanted, pinned) {
    fitted = false;
    const next = Math.max(Math.min(1, fitting()), Math.min(CLOSEST, wanted));
    if (next === zoom || plan.axis === "y") return;
    const head = plan.after(at) - scrolled();
    const pin = pinned ?? (isInView(plan.after(at)) ? head : plan.head + inView() / 2);
    const point = (scrolled() + pin - plan.head) / zoom;
    zoom = next;
    replan();
    drawn.to = -1;
    view.left = -1; // the browser may have moved it, as the picture has another width
    scrollTo(point * zoom + plan.head - pin);
    draw();
    drawNow();
  }

  /** The zoom at which the whole run is in view. */
  function fitting() {
    const long = (plan.playhead - plan.head) / zoom;
    return (inView() - (plan.reach - plan.playhead)) / Math.max(1, long);
  }

  function fit() {
    for (let i = 0; i < CLOSER; i++) zoomTo(Math.min(1, fitting()));
  }

  /** From the first event to the last, where that is not too small. */
  function showWhole() {
    fitted = true;
    for (let i = 0; i < CLOSER; i++) {
      const wanted = Math.min(1, fitting());
      const next = wanted < WHOLE || plan.axis === "y" ? 1 : wanted;
      if (next === zoom) return;
      zoom = next;
      replan();
    }
  }

  /** @param {"steps" | "real"} wanted */
  function scaleTo(wanted) {
    if (wanted === scale) return;
    scale = wanted;
    for (const button of root.querySelectorAll("[data-timeline-scale]")) {
      button.setAttribute("aria-pressed", String(button.getAttribute("data-timeline-scale") === scale));
    }
    replan();
    if (fitted) showWhole();
    drawn.to = -1;
    bringPlayhead();
    draw();
    drawNow();
  }

  // What the reader does

  /** @param {number} seq */
  function hoverHere(seq) {
    hover(seq);
    onHover(seq);
  }

  pointing(pane, {
    onHover: hoverHere,
    onSelect: (seq) => onSelect(seq),
    onZoom: (factor, { x }) => zoomTo(zoom * factor, x / view.factor),
  });
  const keys = roving(pane, {
    marks: () => [...ground.drawn().values(), ...said.drawn().values()].filter((d) => d.stop).map((d) => d.node),
    stop: (seq) => ({ seq, lane: log[seq - 1]?.lane ?? "", at: plan.place(seq) }),
    lanes: () => model.lanes.map((l) => l.name),
    axis: () => plan.axis,
    reveal,
    onFocus: hoverHere,
    onSelect: (seq) => onSelect(seq),
    bring(direction, seq) {
      // Not every event has a mark of its own: look on until one comes into the window.
      for (let next = seq + direction; next > 0 && next <= log.length; next += direction) {
        const px = plan.place(next);
        if (!isInView(px)) return bring(px - inView() / 2, px + inView() / 2);
      }
    },
  });

  root.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    const chosen = button?.getAttribute("data-timeline-scale");
    if (chosen === "steps" || chosen === "real") scaleTo(chosen);
    switch (button?.getAttribute("data-timeline")) {
      case "fit": return fit();
      case "out": return zoomTo(zoom / STEP);
      case "in": return zoomTo(zoom * STEP);
    }
  });
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") zoomTo(zoom * STEP);
    else if (event.key === "-") zoomTo(zoom / STEP);
    else if (event.key === "0") fit();
    else return;
    event.preventDefault();
    event.stopPropagation(); // the page may have the same keys for when the picture has not the focus
  });

  /** @param {number} seq  0: nothing */
  function hover(seq) {
    if (seq === hovered) return;
    hovered = seq;
    dress();
  }

  /** @param {number} seq */
  function reveal(seq) {
    if (seq === 0) return;
    const px = plan.place(seq);
    bring(px - AROUND.before, px + AROUND.before);
  }

  return {
    /**
     * @param {Event[]} events  the whole log
     * @param {object} [options]
     * @param {number} [options.playhead]  seq of the last event that has happened; 0: none; left out: the last of the log
     * @param {number} [options.diverges]  seq of the first event in which the run differs from another; 0: none
     */
    show(events, { playhead: happened = events.length, diverges = 0 } = {}) {
      const opened = log.length === 0;
      const following = opened || isInView(plan.after(at));
      const grown = events !== log;
      [at, differs] = [happened, diverges];
      if (grown) {
        states.read(events);
        log = events;
        model = marks(events, states.at(events.length));
        replan();
        if (opened && opensWhole) showWhole();
        drawn.to = -1;
      }
      if (following) bringPlayhead();
      if (grown && drawn.to < 0) draw();
      drawNow();
    },

    /** @param {number} seq  0: nothing */
    select(seq) {
      selected = seq;
      drawNow();
    },
    hover,
    reveal,

    /** @param {number} factor */
    zoom: (factor) => zoomTo(zoom * factor),
    fit,
    scale: scaleTo,
    /** Letters may have another size now. */
    resize,

    /** px along the axis, without the room after it. */
    long: () => long() * view.factor,
    /** @param {number} px  so far the picture can be scrolled, also when it is shorter */
    atLeast(px) {
      least = px / view.factor;
      makeRoom();
    },

    /** Points at the command that made a violation inevitable. @param {number} seq  0: at none */
    explain(seq) {
      explained = seq;
      svg.classList.toggle("explaining", seq > 0);
      reveal(seq);
      dress();
    },

    /** The complete drawing, by itself. */
    whole: () => whole(model, states.at(at), at, { words, lang, scale, down: plan.axis === "y" ? plan.width : 0 }),
  };
}
