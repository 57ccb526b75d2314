/**
 * Traces written by hand for the tests. A Trace tells what happened in the words of
 * the model and tracks what Redis holds, which keeps each test as short as its
 * story.
 *
 * @typedef {import("./state.js").Event} Event
 * @typedef {import("./state.js").Stored} Stored
 */

const REPLIES = /** @type {Record<string, string>} */ ({ nil: "(nil)", OK: "OK" });

export class Trace {
  /** @type {Event[]} */
  events = [];
  #action = 0;
  #time = 1_000_000;
  #calls = 0;
  #order = 0;
  /** @type {Record<string, Stored>} */
  #keys = {};
  /** @type {Record<string, {call: any, label: string, execution?: any}>} */
  #flight = {};

  /** @param {Partial<Event> & {kind: string}} event */
  emit(event) {
    const text = `${event.lane ?? ""} ${event.kind}`.trim();
    this.events.push({ seq: this.events.length + 1, action: this.#action, time: this.#time, sentence: { en: text, zh: text }, ...event });
    return this;
  }

  /** The next events are of a new action. */
  act() {
    this.#action++;
    return this;
  }

  /** @param {string} client @param {string} command @param {object} [options] */
  spawn(client, command, options = {}) {
    this.act().emit({ kind: "spawn", lane: client, spawned: { program: "del-setnx", timeout: 10_000, ...options } });
    return this.send(client, command);
  }

  /** @param {string} client @param {string} label @param {string} [node] */
  send(client, label, node = "redis") {
    const call = { id: ++this.#calls, client, node, command: label.split(" ") };
    this.#flight[client] = { call, label };
    return this.emit({ kind: "send", lane: client, line: 4, call, label });
  }

  /** @param {string} client @param {string} reply @param {Record<string, string | null>} [changes] @param {number} [expires] */
  step(client, reply, changes = {}, expires = 0) {
    this.act().deliver(client, reply, changes, expires);
    return this.receive(client);
  }

  /** @param {string} client @param {string} reply @param {Record<string, string | null>} [changes] @param {number} [expires] */
  deliver(client, reply, changes = {}, expires = 0) {
    const flight = this.#flight[client];
    const order = ++this.#order;
    const text = REPLIES[reply] ?? (/^\d$/.test(reply) ? `(integer) ${reply}` : `"${reply}"`);
    flight.execution = { order, reply: { resp: "", text } };
    const { call, label, execution } = flight;
    const made = Object.entries(changes).map(([key, value]) => {
      const old = this.#keys[key];
      delete this.#keys[key];
      if (value !== null) this.#keys[key] = { value, writer: client, order, ...(expires ? { expires } : {}) };
      return { key, ...(old ? { old } : {}), ...(value !== null ? { new: this.#keys[key] } : {}) };
    });
    this.emit({ kind: "deliver", lane: call.node, call, label, execution, ...(made.length ? { changes: made } : {}) });
    return this.emit({ kind: "reply", lane: call.node, call, label, execution });
  }

  /** @param {string} client */
  receive(client) {
    const { call, label, execution } = this.#flight[client];
    return this.emit({ kind: "receive", lane: client, call, label, execution });
  }

  /** @param {string} client @param {number} fence  the highest that the storage has seen @param {boolean} accepted */
  write(client, fence, accepted) {
    const flight = this.#flight[client];
    const { call, label } = flight;
    const execution = (flight.execution = { order: 0, reply: { resp: "", text: `(integer) ${Number(accepted)}` } });
    this.act().emit({ kind: accepted ? "write" : "reject", lane: "storage", call, label, execution, fence });
    return this.emit({ kind: "reply", lane: "storage", call, label, execution }).receive(client);
  }

  /** @param {string} client @param {string} kind @param {number} [number] @param {number} [reply] */
  stored(client, kind, number, reply = 1) {
    const flight = this.#flight[client];
    const { call, label } = flight;
    const execution = (flight.execution = { order: 0, reply: { resp: "", text: `(integer) ${reply}` } });
    this.act().emit({ kind, lane: "storage", call, label, execution, ...(number === undefined ? {} : { number }) });
    return this.emit({ kind: "reply", lane: "storage", call, label, execution }).receive(client);
  }

  /** @param {string} client @param {"request" | "reply"} lost */
  drop(client, lost) {
    const { call, label } = this.#flight[client];
    return this.act().emit({ kind: "drop", lane: client, call, label, lost });
  }

  /** @param {string} client @param {number} until ms @param {string} [token] */
  enter(client, until, token) {
    return this.emit({ kind: "enter", lane: client, line: 5, lease: { until, ...(token ? { token } : {}) }, believes: true });
  }

  /** @param {string} client @param {string} command */
  leave(client, command) {
    return this.act().emit({ kind: "leave", lane: client }).send(client, command);
  }

  /** @param {string} client @param {string} kind */
  fault(client, kind) {
    return this.act().emit({ kind, lane: client });
  }

  /** @param {number} ms */
  tick(ms) {
    const from = this.#time;
    this.#time += ms;
    return this.act().emit({ kind: "tick", from });
  }

  /** @param {string} property @param {string[]} clients @param {number} cause */
  violation(property, clients, cause) {
    const momentary = property === "foreign-delete";
    return this.emit({ kind: "violation", violation: { property, clients, cause, ...(momentary ? { momentary } : {}) } });
  }

  /** @param {string} property @param {string[]} clients @param {number} cause */
  cleared(property, clients, cause) {
    return this.emit({ kind: "cleared", violation: { property, clients, cause } });
  }

  /** The seq of the last event. */
  get last() {
    return this.events.length;
  }
}

/** The race of the sources: C2 deletes the lock that C1 has just taken. */
export function race() {
  const t = new Trace();
  t.spawn("C3", "SETNX lock.foo 1011");
  t.step("C3", "1", { "lock.foo": "1011" }).enter("C3", 1_011_000);
  t.fault("C3", "crash");
  t.tick(12_000);
  t.spawn("C1", "SETNX lock.foo 1023");
  t.spawn("C2", "SETNX lock.foo 1023");
  t.step("C1", "0").send("C1", "GET lock.foo");
  t.step("C1", "1011").send("C1", "DEL lock.foo");
  t.step("C2", "0").send("C2", "GET lock.foo");
  t.step("C2", "1011").send("C2", "DEL lock.foo");
  t.step("C1", "1", { "lock.foo": null }).send("C1", "SETNX lock.foo 1023");
  t.step("C1", "1", { "lock.foo": "1023" }).enter("C1", 1_023_000);
  t.step("C2", "1", { "lock.foo": null });
  const guilty = t.last - 2;
  t.violation("foreign-delete", ["C2", "C1"], guilty).send("C2", "SETNX lock.foo 1023");
  t.step("C2", "1", { "lock.foo": "1023" }).enter("C2", 1_023_000);
  t.violation("mutual-exclusion", ["C1", "C2"], guilty).violation("overlap", ["C1", "C2"], guilty);
  return { events: t.events, guilty };
}

/** A holder is paused past its lease and another one enters. */
export function pause() {
  const t = new Trace();
  t.spawn("C1", "SET lock.foo C1-1 NX PX 10000");
  t.spawn("C2", "SET lock.foo C2-1 NX PX 10000");
  t.step("C1", "OK", { "lock.foo": "C1-1" }, 1_010_000).enter("C1", 1_010_000, "C1-1");
  t.step("C2", "nil").emit({ kind: "acquire-failed", lane: "C2" }).emit({ kind: "sleep", lane: "C2", until: 1_001_000 });
  t.fault("C1", "pause");
  t.tick(12_000);
  t.emit({ kind: "expire", lane: "redis", changes: [{ key: "lock.foo", old: { value: "C1-1", writer: "C1", order: 1, expires: 1_010_000 } }] });
  t.emit({ kind: "expire", lane: "C1", believes: false }).emit({ kind: "wake", lane: "C2" }).send("C2", "SET lock.foo C2-2 NX PX 10000");
  t.step("C2", "OK", { "lock.foo": "C2-2" }, 1_022_000).enter("C2", 1_022_000, "C2-2");
  t.violation("overlap", ["C1", "C2"], t.last);
  t.fault("C1", "resume");
  t.leave("C1", "EVAL compare-and-delete lock.foo C1-1").cleared("overlap", ["C1", "C2"], t.last - 3);
  t.step("C1", "0").emit({ kind: "done", lane: "C1" });
  return t.events;
}

/** A request outlives the life that sent it; a reply is lost. */
export function orphan() {
  const t = new Trace();
  t.spawn("C1", "SETNX lock.foo 1011");
  t.fault("C1", "crash");
  t.act().deliver("C1", "1", { "lock.foo": "1011" });
  t.spawn("C2", "SETNX lock.foo 1011");
  t.act().deliver("C2", "0");
  t.drop("C2", "reply");
  t.spawn("C3", "SETNX lock.foo 1011");
  t.drop("C3", "request").emit({ kind: "error", lane: "C3", text: "timeout" });
  t.fault("C1", "restart").send("C1", "SETNX lock.foo 1011");
  return t.events;
}

/** A late write is turned away by its fencing token. */
export function fenced() {
  const t = new Trace();
  const storage = { lanes: ["redis", "storage"] };
  t.spawn("C1", "SET lock.foo C1-1", storage).step("C1", "1", { "lock.foo": "C1-1" }, 1_010_000).enter("C1", 1_010_000, "1");
  t.send("C1", "write 1", "storage");
  t.tick(10_000);
  t.emit({ kind: "expire", lane: "redis", changes: [{ key: "lock.foo", old: { value: "C1-1", writer: "C1", order: 1, expires: 1_010_000 } }] });
  t.emit({ kind: "expire", lane: "C1", believes: false });
  t.spawn("C2", "SET lock.foo C2-1", storage).step("C2", "2", { "lock.foo": "C2-1" }, 1_020_000).enter("C2", 1_020_000, "2");
  t.send("C2", "write 2", "storage").write("C2", 2, true);
  t.write("C1", 2, false);
  return t.events;
}

/** Two read 0; C1 writes 1 in a transaction and commits, C2 writes 1. */
export function updates() {
  const t = new Trace();
  const storage = { lanes: ["redis", "storage"] };
  for (const [i, name] of ["C1", "C2"].entries()) {
    t.spawn(name, `SET lock.foo ${name}-1`, storage).step(name, "1", { "lock.foo": `${name}-1` }, 1_010_000 + i).enter(name, 1_010_000, name);
    t.send(name, "read", "storage").stored(name, "read", 0, 0);
  }
  t.send("C1", "write value=1 uncommitted", "storage").stored("C1", "stage", 1);
  t.send("C1", "commit", "storage").stored("C1", "commit", 1);
  t.send("C1", "commit", "storage").stored("C1", "commit", undefined, 0);
  t.send("C2", "write value=1 fence=2", "storage").stored("C2", "write", 1);
  return t.events;
}

/** @param {number} clients */
export function crowd(clients) {
  const t = new Trace();
  for (let i = 1; i <= clients; i++) t.spawn(`C${i}`, "SETNX lock.foo 1011");
  t.step("C1", "1", { "lock.foo": "1011" }).enter("C1", 1_011_000);
  for (let i = 2; i <= clients; i++) t.step(`C${i}`, "0").send(`C${i}`, "GET lock.foo");
  return t.events;
}
