/**
 * Requests and replies: what is on its way between a client and Redis.
 *
 * @typedef {import("../store.js").Call} Call
 * @typedef {import("../store.js").Sentence} Sentence
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
 * @property {boolean} guilty  a violation has it as its cause
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
 * @property {boolean} guilty
 */

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
 * @param {Moment[]} moments
 * @param {number} end
 * @param {Set<number>} causes  seqs of guilty events
 * @returns {{requests: Request[], replies: Reply[]}}
 */
export function messages(moments, end, causes) {
  /** @type {Map<number, Request>} */
  const requests = new Map();
  /** @type {Map<number, Reply>} */
  const replies = new Map();
  /** @type {Map<string, number>} */
  const waitsFor = new Map();

  for (const { event, at } of moments) {
    const { kind, call, seq, sentence } = event;
    if (kind === "crash") waitsFor.delete(event.lane ?? "");
    if (!call) continue;
    const request = requests.get(call.id);
    const reply = replies.get(call.id);
    switch (kind) {
      case "send":
        waitsFor.set(call.client, call.id);
        requests.set(call.id, {
          seq, call, sentence, label: event.label ?? call.command.join(" "),
          sent: at, fate: "inFlight", to: end, arrival: 0, told: sentence, order: 0, guilty: causes.has(seq),
        });
        break;
      case "deliver":
        if (!request) break;
        Object.assign(request, { fate: "delivered", to: at, arrival: seq, told: sentence, order: event.execution?.order ?? 0 });
        request.guilty ||= causes.has(seq);
        break;
      case "reply": {
        const heard = waitsFor.get(call.client) === call.id;
        replies.set(call.id, {
          seq, call, sentence, received: 0, text: event.execution?.reply.text ?? "",
          fate: heard ? "inFlight" : "unheard", from: request?.to ?? at, to: heard ? end : at, rank: 0,
          guilty: request?.guilty ?? false,
        });
        break;
      }
      case "receive":
        if (reply) Object.assign(reply, { fate: "received", received: seq, to: at });
        break;
      case "drop":
        if (event.lost === "reply" && reply) Object.assign(reply, { fate: "lost", received: seq, to: at });
        else if (request) Object.assign(request, { fate: "lost", arrival: seq, told: sentence, to: at });
        break;
    }
  }
  for (const { event, at } of moments) {
    if (event.kind === "crash") abandon(replies, event.lane ?? "", at);
  }
  rank([...replies.values()]);
  return { requests: [...requests.values()], replies: [...replies.values()] };
}

/**
 * A reply on its way to a client that crashes is heard by nobody.
 * @param {Map<number, Reply>} replies
 * @param {string} client
 * @param {number} at
 */
function abandon(replies, client, at) {
  for (const reply of replies.values()) {
    if (reply.call.client === client && reply.fate === "inFlight" && reply.from < at) {
      reply.fate = "unheard";
      reply.to = at;
    }
  }
}

/** @param {Reply[]} replies */
function rank(replies) {
  const waiting = replies.filter((p) => !atOnce(p));
  waiting.forEach((reply, i) => {
    const others = waiting.slice(0, i).filter((o) => o.call.node === reply.call.node && o.to >= reply.from);
    while (others.some((o) => o.rank === reply.rank)) reply.rank++;
  });
}
