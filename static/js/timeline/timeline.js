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
 *   property.overlap           inside together            同时在临界区
 *   property.foreign-delete    another's lock deleted     删除了他人的锁
 *   property.lease-drift       lease drift                租约漂移
 *   property.stuck             stuck                      死锁
 *   property.stale-write       stale write accepted       接受了过时的写入
 *
 * @typedef {import("../store.js").Event} Event
 * @typedef {import("./layout.js").Words} Words
 */

import { draw, mark } from "./draw.js";
import { layout } from "./layout.js";
import { marks } from "./model.js";
import { approximate } from "./text.js";

const COLUMN = 48;

/**
 * @param {SVGSVGElement} svg
 * @param {{lang: "en" | "zh", words: Words, columnWidth?: number}} options
 */
export function timeline(svg, { lang, words, columnWidth = COLUMN }) {
  /** @type {Event[]} */
  let shown = [];
  let selected = 0;
  const pane = svg.parentElement;

  function redraw() {
    const geometry = layout(marks(shown), { words, measure: approximate, columnWidth, width: pane?.clientWidth ?? 0 });
    draw(svg, geometry, { lang, label: words.timeline });
    mark(svg, selected);
    // The newest is what the learner has just done: keep it in view.
    if (pane) pane.scrollLeft = Math.max(0, geometry.playhead - pane.clientWidth + 24);
  }
  if (pane) new ResizeObserver(redraw).observe(pane);

  return {
    /** @param {Event[]} events  the log up to the playhead */
    show(events) {
      shown = events;
      redraw();
    },
    /** @param {number} seq  0: nothing */
    select(seq) {
      selected = seq;
      mark(svg, seq);
    },
  };
}
