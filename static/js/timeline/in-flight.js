/**
 * Gathers what waits for the reader: messages in flight, and clients that are inside and can leave.
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("../trace/state.js").Call} Call
 * @typedef {import("../trace/state.js").State} State
 * @typedef {import("./layout.js").Frame} Frame
 * @typedef {{key: string, seq: number, content: string, name: string, token: import("./shapes.js").Token, reply?: import("./messages.js").Reply}} Waiting
 */

import { commandText, replyText } from "./text.js";

/** A wall narrower than this has room for what has happened only if what waits is brief, px. */
const BRIEF = 300;

/** Returns what a request in flight says: as a token, and where there is little room, its verb alone, as the band will show the rest.
 * @param {Call} call
 * @param {string} label
 * @param {Pick<Frame, "options">} frame
 */
export const wordsOf = (call, label, { options: { tokens, wall, width } }) =>
  (tokens || (wall && width < BRIEF) ? commandText(call, label).split(" ")[0] : commandText(call, label));

/** Returns what waits for the reader: messages, and clients that are inside and can leave.
 * @param {Marks} marks @param {State} state @param {Pick<Frame, "options">} frame @returns {Waiting[]}
 */
export const waitsFor = (marks, state, frame) => [...messages(marks, state, frame), ...(frame.options.tokens ? leaving(state, frame) : [])];

/** The newest stands nearest; those of a life that is over wait behind it.
 * @param {Marks} marks @param {State} state @param {Pick<Frame, "options">} frame @returns {Waiting[]}
 */
function messages({ replies }, state, frame) {
  const byCall = new Map(replies.map((p) => [p.call.id, p]));
  return Object.values(state.inFlight).reverse().flatMap(({ call, label, sent, delivered }) => {
    const reply = delivered ? byCall.get(call.id) : undefined;
    if (delivered && !reply) return [];
    return [{
      key: `${sent} waiting`, seq: reply?.seq ?? sent, ...(reply ? { reply } : {}),
      content: reply ? replyText(reply.text) : wordsOf(call, label, frame), name: reply ? "reply-value" : "command",
      token: { client: call.client, seq: reply?.seq ?? sent, kind: reply ? "reply" : "request", call: call.id, node: call.node, whole: call.command.join(" ") },
    }];
  });
}

/** Who is inside and waits for nothing can leave or work on, unless there is no word for it.
 * @param {State} state @param {Pick<Frame, "options">} frame @returns {Waiting[]}
 */
function leaving(state, { options: { words } }) {
  if (!words.leave) return [];
  return Object.values(state.clients).filter((c) => c.status === "inside" && !c.paused && !c.request).map(({ name, works }) => ({
    key: `${name} leaves`, seq: 0, content: works ? words.work : words.leave, name: "",
    token: { client: name, seq: state.seq, kind: "leave", call: 0, node: "", whole: works ? words.work : words.leave },
  }));
}
