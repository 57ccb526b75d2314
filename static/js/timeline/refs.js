/**
 * Finds the marks that words name. A reference is a short text:
 *
 *   #8           the command that Redis executed as number 8
 *   C2 DEL       the last DEL of C2, or the next one where it has sent none yet
 *   C2           the client: its lane, and all that happens on it
 *   C2 key       the last value that C2 wrote; key: the last value of all
 *   key NAME     the last value of the key with that name
 *   =1011        the value: where a key has it, and where somebody read it
 *   time 1012    on the axis
 *   inside C2    the critical section of C2; inside: of everybody
 *   expired      the key whose lease ended last
 *   seq 17       the event
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("./shapes.js").Group} Group
 *
 * @typedef {object} Referred
 * @property {Set<number>} seqs  of the events whose marks are named
 * @property {string[]} parts  beginnings or ends of the keys of further groups
 * @property {number} first  the event to show
 * @property {boolean} [client]  a client as a whole is named
 *
 * @typedef {object} Names  what words can name after an event
 * @property {string[]} clients
 * @property {string[]} verbs
 * @property {string[]} keys
 * @property {string[]} values
 * @property {string[]} times
 */

import { timeText } from "../trace/time.js";

/** A value of so few letters is a word by chance. */
const LEAST = 3;

/**
 * @param {string} ref
 * @param {Marks} marks
 * @param {number} happened  seq of the last event that has happened
 * @returns {Referred | null}  null: there is no such mark
 */
export function resolve(ref, marks, happened) {
  const [kind, ...rest] = ref.split(" ");
  const name = rest.join(" ");
  if (ref.startsWith("#")) return ofCall(marks.requests.find((q) => q.order === Number(ref.slice(1))), marks);
  if (ref.startsWith("=")) return ofValue(ref.slice(1), marks, happened);
  if (kind === "time") return ofSeqs(marks.ticks.filter((t) => timeText(t.time, marks.began) === name).map((t) => t.seq));
  if (kind === "seq") return ofSeqs([Number(name)].filter((seq) => seq > 0 && seq <= marks.events.length));
  if (kind === "key") return ofBands([marks.bands.findLast((b) => b.seq <= happened && (!name || b.key === name))]);
  if (kind === "expired") return ofBands([marks.bands.findLast((b) => b.expired !== Infinity && b.seq <= happened)]);
  if (kind === "inside") {
    return ofSeqs(marks.sections.filter((s) => s.seq <= happened && (!name || s.client === name)).map((s) => s.seq).slice(name ? -1 : -2));
  }
  if (!marks.state.clients[kind]) return null;
  if (!name) return ofClient(kind, marks);
  if (name === "key") return ofBands([marks.bands.findLast((b) => b.writer === kind && b.seq <= happened)]);
  const sent = marks.requests.filter((q) => q.call.client === kind && q.call.command[0]?.toUpperCase() === name.toUpperCase());
  return ofCall(sent.findLast((q) => q.seq <= happened) ?? sent[0], marks);
}

/** @param {number[]} seqs @param {string[]} [parts] @returns {Referred | null} */
const ofSeqs = (seqs, parts = []) => (seqs.length > 0 ? { seqs: new Set(seqs), parts, first: seqs[0] } : null);

/** @param {Marks["requests"][number] | undefined} q @param {Marks} marks */
function ofCall(q, { replies }) {
  if (!q) return null;
  const reply = replies.find((p) => p.call.id === q.call.id);
  return ofSeqs([q.arrival, q.seq, reply?.seq ?? 0, reply?.received ?? 0].filter(Boolean));
}

/** @param {(Marks["bands"][number] | undefined)[]} bands @param {number[]} [seqs] @returns {Referred | null} */
function ofBands(bands, seqs = []) {
  const found = bands.flatMap((b) => b ?? []);
  if (found.length === 0) return ofSeqs(seqs);
  return { seqs: new Set(seqs), parts: found.map((b) => `${b.seq} ${b.node} ${b.key} `), first: found[0].seq };
}

/** @param {string} value @param {Marks} marks @param {number} happened */
const ofValue = (value, { bands, replies }, happened) => ofBands(
  bands.filter((b) => b.value === value && b.seq <= happened),
  replies.filter((p) => p.text === `"${value}"` && p.seq <= happened).flatMap((p) => [p.seq, p.received].filter(Boolean)),
);

/** @param {string} client @param {Marks} marks @returns {Referred} */
function ofClient(client, { events }) {
  const own = events.filter((e) => e.lane === client || e.call?.client === client).map((e) => e.seq);
  return { seqs: new Set(own), parts: [`head ${client}`, ` ${client} life`, `ghost ${client}`], first: own[own.length - 1], client: true };
}

/** Reports whether words name a group. @param {Referred} referred @param {Group} group */
export function names({ seqs, parts }, { seq, key, token }) {
  return seqs.has(seq) || (token !== undefined && seqs.has(token.seq)) || parts.some((p) => (p.startsWith(" ") ? key.endsWith(p) : p.endsWith(" ") ? key.startsWith(p) : key === p));
}

/** @param {Marks} marks @param {number} happened @returns {Names} */
export function known({ state, requests, bands, ticks, began }, happened) {
  const written = bands.filter((b) => b.seq <= happened);
  const clients = Object.keys(state.clients);
  return {
    clients,
    verbs: unique(requests.map((q) => (q.call.command[0] ?? "").toUpperCase())),
    keys: unique(written.map((b) => b.key)),
    values: unique(written.map((b) => b.value)).filter((value) => value.length >= LEAST && !clients.includes(value)),
    times: unique(ticks.filter((t) => t.seq <= happened).map((t) => timeText(t.time, began))),
  };
}

/** @param {string[]} words */
const unique = (words) => [...new Set(words)].filter(Boolean);
