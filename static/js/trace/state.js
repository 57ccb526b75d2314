/**
 * The events of a run and their fold. A run is a list of events; the state after an
 * event is the fold of the events up to it. Undo, replay and "go to step 9" fold a
 * prefix. Nothing here knows the page.
 *
 * The types mirror engine/event.go: its JSON is the contract.
 *
 * @typedef {{id: number, client: string, node: string, command: string[]}} Call
 * @typedef {{order: number, reply: {resp: string, text: string}, recorded?: boolean}} Execution  recorded: a script's recorded effect is in its place
 * @typedef {{value: string, writer: string, order: number, expires?: number, counted?: boolean}} Stored  counted: a counter's number, by which nobody holds a lock
 * @typedef {{key: string, old?: Stored, new?: Stored}} Change
 * @typedef {{program?: string, timeout?: number, retry?: number, acquireTimeout?: number, skew?: number, blocking?: boolean, label?: string, works?: boolean, lanes?: string[]}} Spawned  works: its program says what it does in the critical section; lanes: to which it may send; none: there is but one
 * @typedef {{until?: number, token?: string}} Lease  until is on the client's own clock, ms; none: it never ends
 * @typedef {{property: string, clients: string[], cause?: number, momentary?: boolean}} Violation  momentary: over as soon as it has happened
 * @typedef {Record<string, string>} Sentence  by language: en, zh, or that of the reader alone
 *
 * @typedef {object} Event
 * @property {number} seq
 * @property {number} action
 * @property {number} time  true time, ms
 * @property {string} [lane]
 * @property {string} kind
 * @property {number} [line]
 * @property {Call} [call]
 * @property {Execution} [execution]
 * @property {Change[]} [changes]
 * @property {Spawned} [spawned]
 * @property {Lease} [lease]
 * @property {Violation} [violation]
 * @property {boolean} [believes]
 * @property {boolean} [gaveUp]
 * @property {number} [until]
 * @property {number} [from]
 * @property {number} [skew]
 * @property {string} [lost]
 * @property {string} [text]
 * @property {number} [fence]  the highest fencing token that the storage has accepted so far
 * @property {number} [number]  that the storage has told, taken, or keeps for the commit
 * @property {string} [label]
 * @property {number} [began]  of the first event: the wall time at which the run starts, Unix ms; none: it has none
 * @property {string} [request]  the RESP of a command that is delivered
 * @property {Sentence} sentence
 *
 * @typedef {"waits" | "asleep" | "inside" | "releasing" | "done" | "crashed" | "failed"} Status
 *
 * @typedef {object} Client
 * @property {string} name
 * @property {string} program
 * @property {string} label  who it is in the system that the run comes from
 * @property {Status} status
 * @property {boolean} paused
 * @property {boolean} believes  by its own clock, its lease runs
 * @property {Lease | null} lease  what it was granted last in this life
 * @property {boolean} works  its program says what it does in the critical section
 * @property {number} skew  own clock minus true time, ms
 * @property {number} until  when asleep: true time at which it wakes; otherwise 0
 * @property {number} line  the line its program is at; 0: none yet
 * @property {number} request  id of the call it waits for; 0: none
 * @property {string} reply  its last reply as redis-cli shows it
 *
 * @typedef {{call: Call, label: string, sent: number, delivered: boolean}} InFlight  sent is the seq of its send
 *
 * @typedef {object} State
 * @property {number} seq  of the last event; 0: nothing has happened
 * @property {number} time  true time, ms
 * @property {number} began  the wall time at which the run starts, Unix ms; 0: it has none
 * @property {Record<string, Client>} clients  in order of spawning
 * @property {Record<number, InFlight>} inFlight  by call id; outlives a crash of the client
 * @property {Record<string, Record<string, Stored>>} keys  by node, then key
 * @property {string[]} down  nodes that are crashed
 * @property {Violation[]} violations  open ones
 */

/** True time at which a run starts, ms. */
export const START = 1_000_000;

/** The kinds of event by which a request arrives, at Redis or at the storage. */
export const ARRIVALS = new Set(["deliver", "read", "write", "stage", "commit", "reject"]);

/** The lane of the protected resource. */
export const STORAGE = "storage";

/** @returns {State} */
export function empty() {
  return { seq: 0, time: START, began: 0, clients: {}, inFlight: {}, keys: {}, down: [], violations: [] };
}

/**
 * Returns the state after a list of events.
 * @param {Event[]} events
 * @param {State} [from]
 * @returns {State}
 */
export function fold(events, from = empty()) {
  return events.reduce(apply, from);
}

/**
 * Returns the state after one more event. The given state stays as it was.
 * @param {State} state
 * @param {Event} event
 * @returns {State}
 */
export function apply(state, event) {
  const next = { ...state, seq: event.seq, time: event.time, began: event.began ?? state.began };
  messages(next, event);
  keys(next, event);
  violations(next, event);
  nodes(next, event);
  const client = after(state.clients[event.lane ?? ""], event);
  if (client) next.clients = { ...state.clients, [client.name]: client };
  return next;
}

/** Reports whether two violations are the same.
 * @param {Violation} a
 * @param {Violation} b
 */
export function same(a, b) {
  return a.property === b.property && a.clients.join() === b.clients.join();
}

/**
 * Returns the client on whose lane the event happened, after it; undefined: the lane is no client's.
 * @param {Client | undefined} client
 * @param {Event} event
 * @returns {Client | undefined}
 */
function after(client, event) {
  if (event.kind === "spawn") return appear(event);
  if (!client) return undefined;
  const next = { ...client, line: event.line || client.line };
  switch (event.kind) {
    case "send":
      next.request = event.call?.id ?? 0;
      // A client that is inside may send too (a watchdog renews), and stays inside.
      if (next.status === "asleep") next.status = "waits";
      break;
    case "receive":
      next.request = 0;
      next.reply = event.execution?.reply.text ?? "";
      break;
    case "drop":
      if (event.call?.id === client.request) next.request = 0;
      break;
    case "enter":
    case "renew": // it is inside already
      next.status = "inside";
      next.lease = event.lease ?? {};
      next.believes = event.believes ?? client.believes;
      break;
    case "expire":
      next.believes = event.believes ?? false;
      break;
    case "skew":
      next.skew = event.skew ?? 0;
      next.believes = event.believes ?? client.believes;
      break;
    case "leave":
      next.status = client.program ? "releasing" : "waits"; // whose commands are typed by hand may go on
      next.believes = false;
      break;
    case "sleep":
      next.status = "asleep";
      next.until = event.until ?? 0;
      break;
    case "wake":
      next.status = "waits";
      next.until = 0;
      break;
    case "done":
      stop(next, "done");
      break;
    case "error":
      stop(next, "failed");
      break;
    case "crash":
      stop(next, "crashed");
      break;
    case "restart":
      return { ...appear(event), skew: client.skew };
    case "pause":
      next.paused = true;
      break;
    case "resume":
      next.paused = false;
      break;
  }
  return next;
}

/** @param {Event} event @returns {Client} */
function appear(event) {
  return {
    name: event.lane ?? "",
    program: event.spawned?.program ?? "",
    label: event.spawned?.label ?? "",
    status: "waits",
    paused: false,
    believes: false,
    lease: null,
    works: event.spawned?.works ?? false,
    skew: event.spawned?.skew ?? 0,
    until: 0,
    line: 0,
    request: 0,
    reply: "",
  };
}

/** @param {Client} client @param {Status} status */
function stop(client, status) {
  client.status = status;
  client.believes = false;
  client.paused = false;
  client.until = 0;
  client.request = 0;
}

/** @param {State} state @param {Event} event */
function messages(state, event) {
  const { call, kind, lane } = event;
  if (kind === "crash" || kind === "error") {
    // A reply to a life that has ended reaches nobody.
    const kept = Object.entries(state.inFlight).filter(([, m]) => !(m.call.client === lane && m.delivered));
    state.inFlight = Object.fromEntries(kept);
    return;
  }
  if (!call) return;
  const inFlight = { ...state.inFlight };
  if (ARRIVALS.has(kind) && inFlight[call.id]) inFlight[call.id] = { ...inFlight[call.id], delivered: true };
  switch (kind) {
    case "send":
      inFlight[call.id] = { call, label: event.label ?? "", sent: event.seq, delivered: false };
      break;
    case "reply":
      // Nobody waits for the reply to a life that is over.
      if (state.clients[call.client]?.request !== call.id) delete inFlight[call.id];
      break;
    case "receive":
    case "drop":
      delete inFlight[call.id];
      break;
  }
  state.inFlight = inFlight;
}

/** @param {State} state @param {Event} event */
function keys(state, event) {
  if (!event.changes || !event.lane) return;
  const stored = { ...state.keys[event.lane] };
  for (const change of event.changes) {
    if (change.new) stored[change.key] = change.new;
    else delete stored[change.key];
  }
  state.keys = { ...state.keys, [event.lane]: stored };
}

/** @param {State} state @param {Event} event */
function violations(state, event) {
  const { violation } = event;
  if (!violation) return;
  const others = state.violations.filter((v) => !same(v, violation));
  const lasts = event.kind === "violation" && !violation.momentary;
  state.violations = lasts ? [...others, violation] : others;
}

/** @param {State} state @param {Event} event */
function nodes(state, event) {
  const node = event.lane ?? "";
  if (state.clients[node]) return;
  if (event.kind === "crash") state.down = [...state.down, node];
  if (event.kind === "restart" || event.kind === "failover") state.down = state.down.filter((n) => n !== node);
}
