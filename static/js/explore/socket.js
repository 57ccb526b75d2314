/**
 * One search: a socket asks the question, hears the progress, and gets the answer.
 * Closing it ends the search. web/PROTOCOL.md describes it.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {{events: Event[], line: number, scenario: string}} Pictured  line: of the program, where the guilty command was sent; 0: nowhere
 * @typedef {{type: "queue", place: number, text: string}} Queue
 * @typedef {{type: "progress", states: number, transitions: number, depth: number, depths: number[], memory: number, seconds: number, says: Record<string, string>}} Progress
 * @typedef {{type: "answer", verdict: string, text: string, html: string, counterexamples: Pictured[]}} Answer
 * @typedef {{type: "luck", schedules: number, violating: number, over: boolean, text: string, html: string}} Luck
 * @typedef {{type: "error", code: string, text: string, line?: number, column?: number}} Refusal
 * @typedef {Queue | Progress | Answer | Luck | Refusal} Message
 */

/**
 * @param {string} url
 * @param {{type: "search" | "luck", query: string, source: string}} inquiry
 * @param {{onMessage: (message: Message) => void, onEnd: () => void}} handlers  onEnd: the socket is closed
 */
export function inquire(url, inquiry, { onMessage, onEnd }) {
  const socket = new WebSocket(url);
  let ended = false;
  socket.onopen = () => socket.send(JSON.stringify(inquiry));
  socket.onmessage = ({ data }) => !ended && onMessage(JSON.parse(data));
  socket.onclose = () => {
    if (!ended) onEnd();
    ended = true;
  };

  return {
    /** Ends the search early; the answer says how far it came. */
    stop() {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "stop" }));
      else socket.close();
    },
    /** Gives up the search. */
    leave() {
      ended = true;
      socket.close();
    },
  };
}
