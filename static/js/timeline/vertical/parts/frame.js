/**
 * Draws the ground of the marks: the lanes and the passing of time.
 *
 * @typedef {import("../../model.js").Marks} Marks
 * @typedef {import("../layout.js").Frame} Frame
 * @typedef {import("../../shapes.js").Group} Group
 */

import { circle, line } from "../../shapes.js";

/** Below the playhead nothing has happened yet.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export function ghosts({ lanes }, { across, playhead, height, to }) {
  if (to < playhead) return [];
  const live = lanes.filter((l) => !["crashed", "done", "failed"].includes(l.state));
  return live.map((l) => ({
    key: `ghost ${l.name}`, seq: 0, class: "ghost", title: null,
    shapes: [line(l.node ? "ghost-node" : "ghost-lane", across.x(l.name), playhead, across.x(l.name), height)],
  }));
}

/** What of the ground goes on beyond the playhead.
 * @param {Marks} marks
 * @param {Frame} frame
 * @returns {Group[]}
 */
export const ahead = (marks, frame) => ghosts(marks, frame).map((g) => ({ ...g, key: `ahead ${g.key}`, class: `${g.class} ahead` }));

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function ticks({ ticks, notes }, { across, down, touches }) {
  return [
    ...ticks.filter((t) => touches(t.at, t.at)).map((t) => {
      const y = down.client(t.at);
      return { key: `${t.seq} tick`, seq: t.seq, class: "tick", title: t.sentence, shapes: [line("tick-line", 0, y, across.width, y)] };
    }),
    ...notes.filter((n) => touches(n.at, n.at)).map((n) => ({
      key: `${n.seq} pin`, seq: n.seq, class: "note-pin", title: n.sentence, shapes: [circle("pin", 10, down.client(n.at), 4)],
    })),
  ];
}

/** @param {Marks} marks @param {Frame} frame @returns {Group[]} */
export function laneLines({ lives, lanes }, { across, down, touches }) {
  const nodes = new Set(lanes.filter((l) => l.node).map((l) => l.name));
  return lives.filter((l) => touches(l.from, l.to)).map((l) => {
    const name = nodes.has(l.lane) ? (l.dead ? "node-down" : "node") : l.dead ? "lane-dead" : "lane";
    const x = across.x(l.lane);
    return {
      key: `${l.seq} ${l.lane} life`, seq: l.seq, class: "life", title: null,
      shapes: [line(name, x, down.client(l.from), x, down.client(l.to))],
    };
  });
}
