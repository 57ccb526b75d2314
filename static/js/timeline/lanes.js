/**
 * Lanes, and what lasts along them: lives, pauses and sleeps.
 *
 * @typedef {import("../trace/state.js").State} State
 * @typedef {import("../trace/state.js").Status} Status
 * @typedef {import("../trace/state.js").Sentence} Sentence
 * @typedef {import("./moments.js").Moment} Moment
 *
 * @typedef {{seq: number, sentence: Sentence, lane: string, from: number, to: number}} Span
 * @typedef {Span & {dead: boolean}} Life  dead: crashed, until a restart
 *
 * @typedef {object} Lane
 * @property {string} name
 * @property {boolean} node
 * @property {Status | "paused" | ""} state
 * @property {number} skew
 * @property {string} label  who a client is in the system that the run comes from
 */

import { STORAGE } from "../trace/state.js";

/**
 * Clients in order of spawning, then the nodes of Redis, then the storage.
 * @param {Moment[]} moments
 * @param {State} state
 * @returns {Lane[]}
 */
export function lanes(moments, state) {
  const clients = Object.values(state.clients);
  const nodes = new Set(moments.flatMap(({ event: { call, spawned } }) => spawned?.lanes ?? call?.node ?? []));
  for (const node of state.down) nodes.add(node);
  if (nodes.size === 0) nodes.add("redis");
  return [
    ...clients.map((c) => ({ name: c.name, node: false, state: stateOf(c), skew: c.skew, label: c.label })),
    ...[...nodes].sort(byNumber).map((name) => ({
      name, node: true, state: state.down.includes(name) ? /** @type {const} */ ("crashed") : /** @type {const} */ (""), skew: 0, label: "",
    })),
  ];
}

/** A client whose commands are typed by hand waits only while one is on its way.
 * @param {import("../trace/state.js").Client} client
 * @returns {Lane["state"]}
 */
function stateOf({ paused, status, program, request }) {
  if (paused) return "paused";
  return status === "waits" && !program && !request ? "" : status;
}

/** The lanes as they are in a state.
 * @param {Lane[]} lanes
 * @param {State} state
 * @returns {Lane[]}
 */
export function lanesIn(lanes, { clients, down }) {
  return lanes.map((l) => {
    if (l.node) return { ...l, state: down.includes(l.name) ? "crashed" : "" };
    const client = clients[l.name];
    return { ...l, state: client ? stateOf(client) : "", skew: client?.skew ?? 0 };
  });
}

/** redis2 before redis10, and the storage last. @param {string} a @param {string} b */
const byNumber = (a, b) => Number(a === STORAGE) - Number(b === STORAGE) || a.length - b.length || (a < b ? -1 : 1);

/**
 * From each event of one kind to the next on the same lane that ends it, or to the playhead.
 * @param {Moment[]} moments
 * @param {string} begin
 * @param {string[]} ends
 * @param {number} end
 * @returns {Span[]}
 */
export function spans(moments, begin, ends, end) {
  const ending = new Set(ends);
  /** @type {Span[]} */
  const all = [];
  /** @type {Map<string, Span[]>} */
  const open = new Map();
  for (const { event: { kind, lane, seq, sentence }, at } of moments) {
    if (!lane) continue;
    if (ending.has(kind)) {
      for (const span of open.get(lane) ?? []) span.to = at;
      open.delete(lane);
    }
    if (kind !== begin) continue;
    const span = { seq, sentence, lane, from: at, to: end };
    all.push(span);
    open.set(lane, [...(open.get(lane) ?? []), span]);
  }
  return all;
}

/**
 * @param {Moment[]} moments
 * @param {Lane[]} lanes
 * @param {number} end
 * @returns {Life[]}
 */
export function lives(moments, lanes, end) {
  const stops = ["crash", "done", "error"];
  const alive = [...spans(moments, "spawn", stops, end), ...spans(moments, "restart", stops, end)];
  for (const { name, node } of lanes) {
    if (!node) continue;
    const crash = moments.find((m) => m.event.lane === name && m.event.kind === "crash");
    alive.push({ seq: 0, sentence: { en: "", zh: "" }, lane: name, from: -1, to: crash?.at ?? end });
  }
  const dead = spans(moments, "crash", ["restart", "failover"], end);
  // A replica that takes over for a node that is running changes nothing about its lane.
  const revived = spans(moments, "failover", stops, end).filter((s) => dead.some((d) => d.lane === s.lane && d.to === s.from));
  return [...[...alive, ...revived].map((s) => ({ ...s, dead: false })), ...dead.map((s) => ({ ...s, dead: true }))];
}
