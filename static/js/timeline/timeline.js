/**
 * The timeline: events → marks → geometry → SVG.
 *
 * The words it takes, for the catalogue:
 *
 *   key                        English                    中文
 *   timeline                   Timeline                   时间线
 *   waits                      waits                      等待中
 *   asleep                     asleep                     休眠中
 *   inside                     inside                     临界区内
 *   releasing                  releasing                  释放中
 *   done                       done                       已完成
 *   crashed                    crashed                    已崩溃
 *   failed                     failed                     已出错
 *   paused                     paused                     停顿
 *   expired                    expired                    已过期
 *   until                      until {time}               至 {time}
 *   lost                       lost                       丢失
 *   holders                    {n} holders: {clients}     {n} 个持有者：{clients}
 *   cause                      the cause                  起因
 *   property.overlap           {n} inside: {clients}      {n} 个在临界区内：{clients}
 *   property.foreign-delete    {a} deleted {b}’s lock     {a} 删除了 {b} 的锁
 *   property.lease-drift       lease drift: {clients}     租约漂移：{clients}
 *   property.stuck             stuck: {clients}           死锁：{clients}
 *   property.stale-write       stale write: {clients}     过时的写入：{clients}
 *
 * {a} and {b} are the first and the second client of a violation.
 *
 * @typedef {import("../store.js").Event} Event
 * @typedef {import("./layout.js").Words} Words
 */

import { draw, follow, mark } from "./draw.js";
import { layout } from "./layout.js";
import { marks } from "./model.js";
import { approximate } from "./text.js";

const COLUMN = 48;

/**
 * @param {SVGSVGElement} svg  its parent is the pane that scrolls
 * @param {{lang: "en" | "zh", words: Words, columnWidth?: number}} options
 */
export function timeline(svg, { lang, words, columnWidth = COLUMN }) {
  /** @type {Event[]} */
  let shown = [];
  let selected = 0;
  let reach = 0; // of what is drawn, px
  const pane = svg.parentElement;

  function redraw() {
    const following = !pane || pane.scrollLeft + pane.clientWidth >= reach - 8;
    const geometry = layout(marks(shown), { words, measure: approximate, columnWidth, width: pane?.clientWidth ?? 0 });
    draw(svg, geometry, { lang, label: words.timeline });
    mark(svg, selected);
    // Keep the newest in view, unless the reader has gone to look at something older.
    if (pane && following) pane.scrollLeft = Math.max(0, geometry.reach - pane.clientWidth);
    reach = geometry.reach;
    stay();
  }
  const stay = () => follow(svg, pane?.scrollLeft ?? 0);
  if (pane) {
    new ResizeObserver(redraw).observe(pane);
    pane.addEventListener("scroll", stay, { passive: true });
  }

  return {
    /**
     * @param {Event[]} events  the whole log
     * @param {{playhead: number}} at  seq of the last event that has happened
     */
    show(events, { playhead }) {
      shown = events.slice(0, playhead);
      redraw();
    },
    /** @param {number} seq  0: nothing */
    select(seq) {
      selected = seq;
      mark(svg, seq);
    },
  };
}
