/**
 * Computes requests and replies: the messages between a client and Redis, or the storage.
 *
 * @typedef {import("../trace/state.js").Call} Call
 * @typedef {import("../trace/state.js").Sentence} Sentence
 * @typedef {import("./moments.js").Moment} Moment
 *
 * @typedef {object} Request
 * @property {number} seq  of its send
 * @property {Call} call
 * @property {string} label
 * @property {Sentence} sentence
 * @property {number} sent
 * @property {"delivered" | "inFlight" | "lost"} fate
 * @property {number} to  when it was delivered or lost, or the playhead
 * @property {number} arrival  seq of the event that ended its flight; 0: none
 * @property {Sentence} told  the sentence of that event
 * @property {number} order  Redis executed it as number n; 0: it did not
 * @property {string} did  the kind of its arrival; empty: it has not arrived
 * @property {number} [number]  that the storage told or took
 * @property {number} blamed  seq of the first violation that has it as its cause; 0: none
 *
 * @typedef {object} Reply
 * @property {number} seq  of the reply
 * @property {number} received  seq of its receive or drop; 0: none
 * @property {Call} call
 * @property {string} text  as redis-cli shows it
 * @property {Sentence} sentence
 * @property {"received" | "inFlight" | "lost" | "unheard"} fate  unheard: its client's life is over
 * @property {number} from
 * @property {number} to
 * @property {number} rank  among those that wait at one node at one time, 0 stands nearest to it
 * @property {number} blamed
 */

import { ARRIVALS } from "../trace/state.js";
import { columnOf } from "./moments.js";

/** Received in the column where it set out, as a step does.
 * @param {Reply} reply
 */
export const atOnce = ({ from, to }) => columnOf(from) === columnOf(to);

/** The event that a reply is a picture of.
 * @param {Reply} reply
 */
export const shows = (reply) => (atOnce(reply) ? reply.seq : reply.received || reply.seq);

/**
 * Requests of a life that is over, still in flight when the next one sent its
 * own: they run beside the lane, which is no longer theirs.
 * @param {Request[]} requests  in order of being sent
 */
export function superseded(requests) {
  /** @type {Set<Request>} */
  const late = new Set();
  /** @type {Map<string, Request>} */
  const last = new Map();
  for (const q of requests) {
    const before = last.get(q.call.client);
    if (before && before.sent < q.sent && q.sent < before.to) late.add(before);
    last.set(q.call.client, q);
  }
  return late;
}

/**
 * @param {Moment[]} moments
 * @param {number} end
 * @param {Map<number, number>} causes  from the seq of a guilty event to that of the first violation it led to
 * @returns {{requests: Request[], replies: Reply[]}}
 */
export function messages(moments, end, causes) {
  /** @type {Map<number, Request>} */
  const requests = new Map();
  /** @type {Map<number, Reply>} */
  const replies = new Map();
  /** @type {Map<string, number>} the call that a client waits for */
  const waitsFor = new Map();
  /** @type {Map<string, Set<Reply>>} on their way to a client */
  const coming = new Map();

  for (const { event, at } of moments) {
    const { kind, call, seq, sentence } = event;
    if (kind === "crash") {
      waitsFor.delete(event.lane ?? "");
      abandon(coming.get(event.lane ?? ""), at);
    }
    if (!call) continue;
    const request = requests.get(call.id);
    const reply = replies.get(call.id);
    if (ARRIVALS.has(kind) && request) {
      Object.assign(request, {
        fate: "delivered", to: at, arrival: seq, told: sentence, order: event.execution?.order ?? 0, did: kind,
        ...(event.number === undefined ? {} : { number: event.number }),
      });
      request.blamed ||= causes.get(seq) ?? 0;
    }
    switch (kind) {
      case "send":
        waitsFor.set(call.client, call.id);
        requests.set(call.id, {
          seq, call, sentence, label: event.label ?? call.command.join(" "),
          sent: at, fate: "inFlight", to: end, arrival: 0, told: sentence, order: 0, did: "", blamed: causes.get(seq) ?? 0,
        });
        break;
      case "reply": {
        const heard = waitsFor.get(call.client) === call.id;
        /** @type {Reply} */
        const made = {
          seq, call, sentence, received: 0, text: event.execution?.reply.text ?? "",
          fate: heard ? "inFlight" : "unheard", from: request?.to ?? at, to: heard ? end : at, rank: 0,
          blamed: request?.blamed ?? 0,
        };
        replies.set(call.id, made);
        if (!heard) break;
        const others = coming.get(call.client);
        if (others) others.add(made);
        else coming.set(call.client, new Set([made]));
        break;
      }
      case "receive":
        if (!reply) break;
        Object.assign(reply, { fate: "received", received: seq, to: at });
        coming.get(call.client)?.delete(reply);
        break;
      case "drop":
        if (event.lost === "reply" && reply) {
          Object.assign(reply, { fate: "lost", received: seq, to: at });
          coming.get(call.client)?.delete(reply);
        } else if (request) Object.assign(request, { fate: "lost", arrival: seq, told: sentence, to: at });
        break;
    }
  }
  const all = [...replies.values()];
  rank(all);
  return { requests: [...requests.values()], replies: all };
}

/**
 * A reply on its way to a client that crashes is heard by nobody.
 * @param {Set<Reply> | undefined} coming
 * @param {number} at
 */
function abandon(coming, at) {
  for (const reply of coming ?? []) Object.assign(reply, { fate: "unheard", to: at });
  coming?.clear();
}

/** Those that wait at one node at one time stand one over the other.
 * @param {Reply[]} replies
 */
function rank(replies) {
  /** @type {Map<string, Reply[]>} */
  const waiting = new Map();
  for (const reply of replies) {
    if (atOnce(reply)) continue;
    const { node } = reply.call;
    const others = (waiting.get(node) ?? []).filter((o) => o.to >= reply.from);
    while (others.some((o) => o.rank === reply.rank)) reply.rank++;
    waiting.set(node, [...others, reply]);
  }
}
