/**
 * The timeline: events → marks → plan → SVG. It draws a window of the plan, and the
 * playhead moves over it.
 *
 * The file has more than 400 lines: what is drawn, what moves and where the view stands are one state, since a motion
 * scrolls, a scroll draws and a zoom lays out again. What needs less than all of it is a module of its own.
 *
 * The words it takes, for the catalogue:
 *
 *   key                        English                    中文
 *   timeline                   Timeline                   时间线
 *   waits                      asks Redis                 等回复
 *   asleep                     asleep                     休眠中
 *   inside                     inside                     临界区内
 *   releasing                  releasing                  释放中
 *   done                       done                       已结束
 *   crashed                    crashed                    已崩溃
 *   down                       down                       已宕机
 *   failed                     failed                     已出错
 *   paused                     paused                     停顿
 *   expired                    expired                    已过期
 *   by                         by {client}               {client} 写入
 *   until                      until {time}               至 {time}
 *   lost                       lost                       丢失
 *   storage                    Storage                    存储
 *   accepted                   accepted {n}               已接受 {n}
 *   rejected                   rejected {n}               已拒绝 {n}
 *   read                       read {n}                   读到 {n}
 *   wrote                      wrote {n}                  写入 {n}
 *   staged                     wrote {n}, uncommitted     写入 {n}，未提交
 *   committed                  committed {n}              已提交 {n}
 *   nothing                    no transaction             没有事务
 *   cause                      the cause                  起因
 *   leave                      Leave                      离开
 *   work                       Work on                    继续干活
 *
 * {client} of by is the writer of a key. {n} of accepted and rejected is a fencing token; otherwise it is the number that the storage reports or takes.
 *
 * Under property it takes a flag for each property, by its name: {clients} are the clients of a violation, {n} is their
 * number, {a} and {b} are the first two. engine/check has them.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {import("./layout.js").Words} Words
 * @typedef {import("./plan.js").Plan} Plan
 * @typedef {import("./shapes.js").Group} Group
 * @typedef {import("./shapes.js").Token} Token
 *
 * @typedef {object} Places  where the lanes are, in px of the page from the corner of the pane
 * @property {"x" | "y"} axis
 * @property {number} head  how much of the axis the heads take
 * @property {number} axisAt  where the axis runs, across it
 * @property {number} pitch  from one lane to the next
 * @property {{name: string, node: boolean, at: number, seen: boolean}[]} lanes  at: across the axis
 */

import { clock, steadily } from "./clock.js";
import { layer, svgNode } from "./draw.js";
import { history } from "./history.js";
import { layout } from "./layout.js";
import { marks } from "./model.js";
import { AXES, NARROW } from "./axis.js";
import { downwards } from "./downwards.js";
import { divergence, playhead, pointer } from "./overlay.js";
import { paper, printed } from "./paper.js";
import { grips } from "./grips.js";
import { pointing } from "./pointing.js";
import { roving } from "./roving.js";
import { KNOT } from "./scale.js";
import { approximate } from "./text.js";
import { ROOM_MS, ease, over } from "./timing.js";
import { viewOf } from "./view.js";
import { whole } from "./whole.js";

const COLUMN = 48;

/** How far one can zoom in and out; and with one press of a button. */
const CLOSEST = 4;
const FILLED = 16; // a picture of one event fills its pane, too
const FARTHEST = 1 / 1024; // a pane may have no room beside what keeps its size
const STEP = 1.5;

/** Steps in which the fitting zoom is found: the parts beside the playhead do not shrink with the rest. */
const CLOSER = 3;

/** A run that is opened is shown whole if it need not be smaller than that: then most words still have room. */
const WHOLE = 0.5;

/** Space to be seen before and after the playhead, px. */
const AROUND = { before: 64, after: 160 };

/** The longest run, in events, that is laid out again in a fraction of a frame. */
const FEW = 300;

/** From the end of the ground of the heads to where the lanes begin, px. */
const HEADS = 8;

/** The farthest from the lane of a node that a token is let go for it, px. */
const NEAR_NODE = 48;

/** How many pictures the page has had. */
let pictures = 0;


/**
 * @param {HTMLElement} root  has the pane (.picture with an svg) and, if wanted, controls (data-timeline) and, for a minimap, .minimap
 * @param {object} options
 * @param {"en" | "zh"} options.lang
 * @param {Words} options.words
 * @param {() => boolean} [options.mayRunDown]  whether time runs downwards in a narrow pane
 * @param {() => Promise<void>} [options.loadDown]  loads what that needs; handed in, as a file that has it loads nothing
 * @param {boolean} [options.opensWhole]  a run that is opened is shown whole, if it need not be too small for that
 * @param {typeof import("./minimap.js").minimap} [options.minimap]  handed in, so that who wants none need not load it
 * @param {(seq: number) => void} [options.onSelect]  0: nothing
 * @param {(seq: number) => void} [options.onHover]  0: nothing
 * @param {(seq: number) => void} [options.onArrive]  the picture shows this event: its motion, if it had one, is over
 * @param {(events: Event[]) => void} [options.onPass]  a motion has just shown these events, forwards
 * @param {(token: Token) => void} [options.onToken]  the reader pressed a token, or dragged it to where it goes; without it, there is none
 * @param {() => string} [options.leads]  the client whose token is the one thing to press now; empty: no token is
 * @param {(seq: number, done: boolean) => void} [options.onSeek]  the reader drags the playhead, and has let it go when done
 * @param {import("./layout.js").Coarse} [options.coarse]  what a long run needs, handed in, so that who has only short ones need not load it
 * @param {typeof import("./parts/edge.js").edge} [options.edge]  it is a wall, read from the last row, and nobody can scroll it: this says at its left edge again what is cut there, and no room is left for a future, which would answer before anybody asks
 * @param {number} [options.stacked]  in a higher pane, px, flags stand in two rows before they reach into the future
 * @param {number} [options.gutter]  the least room that is kept for controls left of the lanes, px
 * @param {(places: Places) => void} [options.onPlaces]  the lanes stand somewhere else
 */
export function timeline(root, {
  lang, words, mayRunDown = () => true, loadDown, opensWhole = true, minimap, onSelect = () => {}, onHover = () => {}, onArrive = () => {}, onPass = () => {}, onToken, leads, onSeek, coarse, edge: repeat, stacked, gutter = 0, onPlaces,
}) {
  const wall = repeat !== undefined;
  const pane = /** @type {HTMLElement} */ (root.querySelector(".picture"));
  const svg = /** @type {SVGSVGElement} */ (pane.querySelector("svg"));
  const headsSvg = /** @type {SVGSVGElement} */ (svgNode("svg"));
  pane.append(headsSvg);
  svg.setAttribute("class", "timeline read-here");
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", words.timeline);
  headsSvg.setAttribute("class", "timeline heads");
  headsSvg.setAttribute("aria-hidden", "true");
  const groups = ["ground", "veils", "moving", "words", "edge", "now", "over"].map(() => svgNode("g"));
  svg.append(...groups);
  groups[3].setAttribute("aria-hidden", "true"); // the names of the marks begin with what they say
  const [ground, veils, moving, said, edge, now, top] = groups.map((g, i) => layer(g, lang, i === 0 ? `mark-${++pictures}` : ""));
  const heads = layer(headsSvg, lang);
  const states = history();

  /** @type {Event[]} */
  let log = [];
  let model = marks([]);
  /** @type {Plan} */
  let plan = layout(model, { words, measure: approximate, columnWidth: COLUMN, width: 0 });
  let at = 0; // the position, a real number
  let happened = 0; // seq of the last event that has happened there
  let fresh = false; // what moves was not seen before: none of it is shown before its time
  /** @type {import("./overlay.js").Divergence | null} */
  let differs = null;
  let zoom = 1;
  let fitted = false; // the zoom was chosen to show the whole run
  let lowest = 1; // how far it can be zoomed out, also when it is whole before: as far as another picture that is shown with it
  let least = 0; // the least length of the room for the picture: that of another with which it is scrolled
  /** @type {"steps" | "real"} */
  let scale = "steps";
  let selected = 0;
  let hovered = 0;
  let explained = 0; // seq of the guilty event that is pointed at; 0: none
  /** Reports whether words point at a group. @type {(group: Group) => boolean} */
  let lit = () => false;
  let lights = false;
  /** The events whose numbers are said in words. @type {Set<number>} */
  let numbered = new Set();
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

  const marksInTime = () => [...ground.drawn().values()].filter((d) => d.stop).sort((a, b) => a.group.seq - b.group.seq).map((d) => d.node);

  // The plan

  /** What a narrow pane needs is on its way. */
  let awaited = false;

  /** Reports whether time runs down in a pane of a width. What that needs may have to be loaded: then it does as soon as it is there. @param {number} width */
  function runsDown(width) {
    if (width === 0 || width > NARROW || !mayRunDown()) return false;
    if (!downwards.lay && loadDown && !awaited) {
      awaited = true;
      loadDown().then(() => {
        awaited = false;
        resized(() => {}, follows);
      });
    }
    return downwards.lay !== undefined;
  }

  function replan() {
    const { width, height } = view;
    plan = layout(model, {
      axis: runsDown(width) ? "y" : "x",
      words, measure: approximate, columnWidth: COLUMN, width, height, scroll: view.top, zoom, scale, gutter, stacked, wall, edge: repeat, coarse,
      tokens: onToken !== undefined, leads, ...(room ? { from: room } : {}),
    });
    sized(svg, plan.width, plan.height);
    sized(headsSvg, ...turned(plan.head, turned(plan.width, plan.height)[1]));
    root.setAttribute("data-axis", plan.axis);
    makeRoom();
    // Of a shorter picture less can be scrolled.
    if (scrolled() > mostScrolled()) scroll(plan.axis, mostScrolled());
    map?.show(plan, view);
  }

  /** Returns of x and y what lies along the axis, and what across it. @param {number} x @param {number} y */
  const turned = (x, y) => AXES[plan.axis].xy(x, y);

  /** Returns the scroll position along the axis. */
  const scrolled = () => turned(view.left, view.top)[0];

  /** Returns the length of the picture along the axis. */
  const long = () => turned(plan.width, plan.height)[0];

  const mostScrolled = () => Math.max(0, Math.max(least, long()) - turned(view.width, view.height)[0]);

  function makeRoom() {
    [svg.style.marginRight, svg.style.marginBottom] = turned(Math.max(0, least - long()) * view.factor, 0).map((room) => `${room}px`);
  }

  /** Returns how much of the axis is in view beside the heads. */
  const inView = () => turned(view.width, view.height)[0] - plan.head;

  /** @param {number} px */
  function scrollTo(px) {
    const to = Math.round(Math.max(0, Math.min(px, mostScrolled())));
    if (to === scrolled()) return;
    scroll(plan.axis, to);
    if (outOfWindow()) draw();
    else {
      drawEdge();
      moveMap();
    }
  }

  /** Says at the left edge again what began before it. */
  function drawEdge() {
    if (!wall || plan.axis === "y") return;
    const from = scrolled() + plan.head - HEADS;
    const to = scrolled() + view.width;
    edge.draw(plan.edge?.(from, to, plan.after(at)) ?? [], plain());
    for (const part of [ground, said]) part.cut(from, to);
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
    ground.draw(all.filter((g) => !g.layer), look);
    said.draw(all.filter((g) => g.layer === "words"), look);
    // Marks lie one over the other; whoever reads them reads them in order of time.
    const order = marksInTime().map((node) => node.id).join(" ");
    if (order !== svg.getAttribute("aria-owns")) svg.setAttribute("aria-owns", order);
    drawEdge();
    keys.settle(happened);
    moveMap();
  }

  /** Draws what depends only on the playhead. */
  function drawNow() {
    const state = states.at(happened);
    heads.draw(plan.heads(state), plain());
    drawMoving(state);
    dress();
    if (!room) place();
  }

  /** Draws what may differ from one frame of a motion to the next. */
  function drawMoving(state = states.at(happened)) {
    const px = plan.after(at);
    const stay = { top: view.top, bottom: plan.axis === "x" ? Math.min(plan.height, view.top + view.height) : plan.height };
    const motion = plan.motion(state, at, dropped);
    const [veil, handle] = playhead(plan, px, stay, onSeek !== undefined);
    veils.draw([veil, ...(fresh ? plan.ahead(px) : []), handle], plain());
    const groups = motion.groups;
    moving.draw(groups.filter((g) => !g.layer), plain());
    top.draw(groups.filter((g) => g.layer), plain());
    coming = time.moving() || dragged ? { until: Math.max(time.target, actionEnd(Math.ceil(at), 1)), now: Math.ceil(at), shown: motion.shown } : null;
    for (const part of [ground, said]) part.reveal(coming, happened);
    const waiting = plan.waiting(state, at, motion.carried);
    taken = waiting.flatMap((g) => g.shapes.flatMap((s) => (s.kind === "text" ? [s.box] : [])));
    drawEdge();
    now.draw([...waiting, ...litKnots(), ...divergence(plan, differs, approximate, stay), ...pointer(plan, selected, stay)], plain());
    moveMap();
  }

  /** Tells where the lanes stand, if that is somewhere else than before: who is told has the page laid out. */
  function place() {
    if (!onPlaces) return;
    const { factor } = view;
    const across = turned(view.left, view.top)[1];
    /** @type {Places} */
    const places = {
      axis: plan.axis,
      head: plan.head * factor,
      axisAt: ((plan.axisAt ?? 0) - across) * factor,
      pitch: plan.pitch * factor,
      lanes: plan.lanes().map((lane) => ({ ...lane, at: (lane.at - across) * factor })),
    };
    const said = JSON.stringify(places);
    if (said === placed) return;
    placed = said;
    onPlaces(places);
  }
  let placed = "";

  // Motion

  const time = clock({
    lasts: (seq) => plan.lasts(seq),
    onMove(position, part, ms) {
      const last = happened;
      at = position;
      happened = Math.floor(at);
      const arrived = at === time.target;
      if (arrived) moves(false, false);
      const making = room !== null; // the heads move along
      if (room) makeRoomFor(part === 1 ? 1 : over(ms, 0, ROOM_MS));
      if (glide) scrollTo(glide.from + (glide.to - glide.from) * ease(part));
      if (last !== happened || arrived || making) drawNow();
      else drawMoving();
      if (last < happened) onPass(log.slice(last, happened));
    },
    onArrive,
  });

  /** Says how it looks from now on. @param {boolean} now  something moves @param {boolean} unseen */
  function moves(now, unseen) {
    fresh = unseen;
    if (!now) dropped.call = 0;
    svg.classList.toggle("moves", now);
    svg.classList.toggle("fresh", unseen);
  }

  /** The token that was dragged last: from there it goes on. */
  let dropped = { call: 0, dx: 0, dy: 0 };

  let dragged = false; // the playhead is in the reader's hand

  /** @type {{rows: import("./rows.js").Rows, part: number} | null} while lanes make room for another one */
  let room = null;

  /** @param {number} part */
  function makeRoomFor(part) {
    room = room && part < 1 ? { rows: room.rows, part: ease(part) } : null;
    replan();
    draw();
  }

  /** Lets the lanes begin where they were: in a large run they are where they belong at once.
   * @param {Plan} before
   */
  function beginRoom(before) {
    if (!before.rows || !plan.rows || log.length > FEW || steadily()) return;
    if (plan.lanes().every(({ name }) => before.rows?.lane(name) === plan.rows?.lane(name))) return;
    place(); // where they will be: a button that moves under a finger is not pressed
    room = { rows: before.rows, part: 0 };
    replan();
    drawn.to = -1;
  }

  /** @type {{from: number, to: number} | null} how the view follows the playhead */
  let glide = null;

  /**
   * Sets out for an event: in time where it is an action away, at once where it is more.
   * @param {number} to
   * @param {boolean} unseen  the log ended here
   * @param {boolean} following  the view goes with it
   * @returns {boolean}  whether it is still to come
   */
  function setOut(to, unseen, following) {
    const from = time.target;
    if (dragged || (from === to && time.moving())) return true;
    time.finish();
    glide = null;
    if (isOneAction(from, to) && document.visibilityState !== "hidden" && time.glide(to)) {
      moves(true, unseen && to > from);
      if (following) glide = { from: scrolled(), to: reachOf(to) };
      return true;
    }
    time.jump(to);
    at = happened = to;
    if (following) bringPlayhead();
    return false;
  }

  /** @param {number} from @param {number} to */
  function isOneAction(from, to) {
    const [first, last] = from < to ? [from, to] : [to, from];
    if (first === last || last > log.length || !Number.isInteger(first)) return false;
    const { action } = log[first];
    return log[last - 1].action === action && log[first - 1]?.action !== action;
  }

  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && time.finish());

  /** @type {import("./shapes.js").Box[]} */
  let taken = [];
  /** @type {import("./draw.js").Coming | null} */
  let coming = null;

  /** Where Redis executed the commands that words point at: those marks are drawn together with all others. @returns {Group[]} */
  function litKnots() {
    if (!lights) return [];
    const lanes = new Map(plan.lanes().map((lane) => [lane.name, lane.at]));
    return model.requests.flatMap(({ arrival: seq, fate, call, blamed }) => {
      const [cx, cy] = turned(plan.place(seq), lanes.get(call.node) ?? 0);
      const key = `${seq} arrival`;
      if (fate !== "delivered" || blamed || !lit({ key, seq, class: "", title: null, shapes: [] })) return [];
      return [{ key: `${key} lit`, seq: 0, class: "lit-mark", title: null, shapes: [{ kind: "circle", class: "knot", cx, cy, r: KNOT }] }];
    });
  }

  const plain = () => ({ playhead: happened, selected: () => false, hovered: 0, explained: 0, coming: null, taken: [], lit, numbered });

  /** @returns {import("./draw.js").View} */
  const dressed = () => {
    const chosen = markOf(selected);
    return { playhead: happened, selected: (seq) => seq === chosen, hovered: markOf(hovered), explained, coming, taken, lit, numbered };
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
    else {
      drawEdge();
      moveMap();
    }
  }

  /** Whether the playhead was in view before the pane got its size: until a narrow pane can run down it may have no room for it. */
  let follows = true;

  /** @param {() => void} change @param {boolean} [following]  the view goes with the playhead */
  function resized(change, following = wall || glide !== null || isInView(plan.after(at))) {
    follows = following || (awaited && follows);
    glide = room = null; // they led through the picture of the former size
    const { axis } = plan;
    change();
    replan();
    if (plan.axis !== axis) scroll(axis, 0); // a phone was turned: what was along time is across it now
    refit();
    drawn.to = -1;
    if (following) scrollTo(reachOf(time.moving() ? time.target : at));
    draw();
    drawNow();
  }

  /** Scrolls as little as brings a stretch into view.
   * @param {number} from @param {number} to px
   */
  function bring(from, to) {
    scrollTo(brings(from, to));
  }

  /** Returns how far it would be scrolled then. @param {number} from @param {number} to */
  function brings(from, to) {
    const left = scrolled() + plan.head;
    if (to > left + inView()) return to - inView() - plan.head;
    return from < left ? from - plan.head : scrolled();
  }

  /** Returns how far to scroll for the playhead to be in view at a position. @param {number} position */
  function reachOf(position) {
    const px = plan.after(position);
    const after = position === log.length ? plan.reach - px : AROUND.after;
    // What waits comes first on a wall, where nobody scrolls to it.
    if (wall) return brings(px - Math.max(0, Math.min(AROUND.before, inView() - after)), px + Math.min(after, inView()));
    return brings(px - AROUND.before, px + Math.min(after, inView() / 2));
  }

  const bringPlayhead = () => scrollTo(reachOf(at));

  /** @param {number} px */
  const isInView = (px) => px >= scrolled() + plan.head && px <= scrolled() + plan.head + inView();

  /** @param {number} wanted @param {number} [pinned]  px from the edge of the pane that keeps its place */
  function zoomTo(wanted, pinned) {
    fitted = false;
    const next = Math.max(Math.min(lowest, fitting()), Math.min(CLOSEST, wanted));
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
    return Math.max(FARTHEST, (inView() - (plan.reach - plan.playhead)) / Math.max(1, long));
  }

  function fit() {
    for (let i = 0; i < CLOSER; i++) zoomTo(Math.min(lowest, fitting()));
  }

  /** From the first event to the last, where that is not too small; on a wall, as long as the pane, where what has happened is shorter. */
  function refit() {
    for (let i = 0; i < CLOSER && (wall || fitted); i++) {
      const whole = wall ? Math.max(1, Math.min(FILLED, fitting())) : Math.min(1, fitting());
      const next = plan.axis === "y" || whole < WHOLE ? 1 : whole;
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
    refit();
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
  grips(pane, {
    ...(onSeek ? { onSeek: seek, onSought: () => seek(plan.after(at) * view.factor, plan.after(at) * view.factor, true) } : {}),
    token: (key) => now.drawn().get(key)?.group.token,
    goesTo({ node }, x, y) {
      const there = plan.lanes().find((lane) => lane.name === node);
      return there !== undefined && Math.abs(turned(x, y)[1] / view.factor - there.at) < NEAR_NODE;
    },
    onToken(token, by) {
      dropped = { call: token.call, ...by };
      onToken?.(token);
    },
  });
  printed(pane, () => paper(log, { lang, words }));
  const keys = roving(pane, {
    marks: marksInTime,
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

  /** The playhead is dragged: it stands between two events as well, until it is let go.
   * @param {number} x @param {number} y  px of the page
   * @param {boolean} [done]
   */
  function seek(x, y, done = false) {
    time.finish();
    const px = turned(x, y)[0] / view.factor;
    const position = plan.at(px);
    const [before, next] = [actionEnd(Math.floor(position), -1), actionEnd(Math.ceil(position), 1)];
    const seq = px - plan.after(before) < plan.after(next) - px ? before : next;
    dragged = !done;
    glide = null;
    time.jump(done ? seq : position);
    at = time.position;
    happened = Math.floor(at);
    drawNow();
    onSeek?.(seq, done);
  }

  /** Returns the nearest event in a direction with which an action ends.
   * @param {number} seq @param {number} direction
   */
  function actionEnd(seq, direction) {
    let end = seq;
    while (end > 0 && end < log.length && log[end].action === log[end - 1].action) end += direction;
    return end;
  }

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
     * @param {import("./overlay.js").Divergence | null} [options.diverges]  from another run; null: it does not
     */
    show(events, { playhead: to = events.length, diverges = null } = {}) {
      const opened = log.length === 0;
      const following = opened || wall || isInView(plan.after(at));
      const grown = events !== log;
      const before = plan;
      const unseen = !opened && grown && time.target === log.length;
      differs = diverges;
      if (grown) {
        // The motion belongs to the other log.
        if (time.target !== to || to > events.length) time.finish();
        states.read(events);
        log = events;
        model = marks(events, states.at(events.length));
        replan();
        fitted ||= opened && opensWhole;
        if (wall || opened) refit();
        drawn.to = -1;
      }
      const coming = setOut(to, unseen, following);
      if (grown && coming) beginRoom(before);
      if (grown && drawn.to < 0) draw();
      drawNow();
      if (!coming) onArrive(to);
    },

    /** Brings the playhead back, as the browser moves the picture where its pane is for a moment wider. */
    hold() {
      const to = Math.round(Math.max(0, Math.min(reachOf(time.moving() ? time.target : at), mostScrolled())));
      if (!glide) scroll(plan.axis, to);
      if (outOfWindow()) draw();
      else drawEdge();
    },

    /** Sets how many times as fast motions are. @param {number} factor */
    speed: (factor) => time.speed(factor),

    /** Ends a motion where it leads. */
    finish: time.finish,

    /** @param {number} seq  0: nothing */
    select(seq) {
      selected = seq;
      drawNow();
    },
    hover,
    reveal,

    zoom: () => zoom,
    /** Takes the zoom of another picture over. @param {number} wanted */
    zoomTo(wanted) {
      lowest = Math.min(lowest, wanted);
      zoomTo(wanted);
    },
    /** Shows the whole run, and returns the zoom of that. */
    fit() {
      lowest = 1;
      fit();
      return zoom;
    },
    /** Letters may have another size now. */
    resize,

    /** px along the axis, without the room after it. */
    long: () => long() * view.factor,
    /** @param {number} px  how far the picture can be scrolled, also when it is shorter */
    atLeast(px) {
      least = px / view.factor;
      makeRoom();
    },

    /** Returns the marks, and the last event that has happened: words name them (refs.js). */
    marks: () => ({ marks: model, happened }),
    /** Lights what words point at: all else steps back. @param {((group: Group) => boolean) | null} named  null: they point at nothing */
    light(named) {
      lit = named ?? (() => false);
      lights = named !== null;
      for (const each of [svg, headsSvg]) each.classList.toggle("lighting", named !== null);
      drawNow();
    },
    /** Shows the numbers of commands that words name. @param {Set<number>} seqs */
    number(seqs) {
      if (seqs.size === numbered.size && [...seqs].every((seq) => numbered.has(seq))) return;
      numbered = seqs;
      dress();
    },

    /** Points at the command that made a violation inevitable. @param {number} seq  0: at none */
    explain(seq) {
      explained = seq;
      svg.classList.toggle("explaining", seq > 0);
      reveal(seq);
      dress();
    },

    /** The complete drawing, by itself. */
    whole: () => whole(model, states.at(time.target), time.target, { words, lang, scale, axis: plan.axis, width: plan.axis === "y" ? plan.width : 0 }),
  };
}
