/**
 * The page of a lesson within a learning platform: it tells the platform (SCORM 1.2) what the framed page of Lockstep says
 * about the reader's progress. Nobody but that page is listened to.
 */
(() => {
  "use strict";
  /** @typedef {{LMSInitialize(_: ""): string, LMSFinish(_: ""): string, LMSGetValue(name: string): string, LMSSetValue(name: string, value: string): string, LMSCommit(_: ""): string}} Platform */

  const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("lesson"));
  /** @type {{tasks: string[], says: {alone: string, refused: string, open: string}}} */
  const { tasks, says } = JSON.parse(document.getElementById("data")?.textContent ?? "");
  /** As the browser writes it in messages: without capital letters and without the usual port, however somebody has typed the address. */
  const { origin } = new URL(frame.src);

  /** As far a page looks for the platform: windows around it, and windows that have opened those. */
  const FARTHEST = 10;
  /** How long the lesson may take until it shows itself, ms. */
  const PATIENCE_MS = 10_000;
  /** The frame is never lower or higher, px. */
  const LOWEST = 320;
  const HIGHEST = 4_000;

  /** Finds the platform in a window or in those around it. @param {any} from @returns {Platform | undefined} */
  function around(from) {
    for (let i = 0, at = from; at && i < FARTHEST; i++) {
      try {
        if (at.API?.LMSInitialize) return at.API; // and no frame of that name
      } catch {
        // a window of another site tells nothing
      }
      if (at.parent === at) return undefined;
      at = at.parent;
    }
  }

  /** Finds the platform around this page, or around the windows that have opened it. */
  function platform() {
    for (let i = 0, at = /** @type {any} */ (window); at && i < FARTHEST; i++) {
      const found = around(at);
      if (found) return found;
      try {
        at = at.top.opener;
      } catch {
        at = undefined; // as above
      }
    }
  }

  const api = platform();
  const begun = Date.now();
  const reports = api !== undefined && String(api.LMSInitialize("")) === "true"; // some platforms answer with true itself
  /** Whether the reader takes the lesson, and does not only look at it again. */
  const counts = reports && !["browse", "review"].includes(api.LMSGetValue("cmi.core.lesson_mode"));

  /** Shows a sentence. @param {string} sentence @param {boolean} [leads]  with a link to the lesson */
  function say(sentence, leads = false) {
    const line = /** @type {HTMLElement} */ (document.getElementById("says"));
    line.textContent = sentence;
    line.hidden = sentence === "";
    const open = /** @type {HTMLElement} */ (document.getElementById("open"));
    open.hidden = !leads;
    if (open.firstElementChild) open.firstElementChild.textContent = says.open;
  }

  /** @param {string} name @param {string | number} value */
  function set(name, value) {
    if (counts) api?.LMSSetValue(name, String(value));
  }

  const get = (/** @type {string} */ name) => (reports ? api.LMSGetValue(name) : "");

  // What the reader has done before, and what they do now

  /** The share that each task was solved with, by its place in the list. @type {Record<string, number>} */
  const solved = {};
  try {
    const kept = JSON.parse(get("cmi.suspend_data") || "{}");
    for (const i of Object.keys(kept)) if (Number(i) in tasks && kept[i] >= 0 && kept[i] <= 1) solved[i] = kept[i];
  } catch {
    // another package's data: the reader begins again
  }
  const isDone = (/** @type {string} */ status) => status === "completed" || status === "passed";
  let done = isDone(get("cmi.core.lesson_status"));
  if (!done) set("cmi.core.lesson_status", "incomplete");
  let best = Number.parseFloat(get("cmi.core.score.raw"));
  let furthest = tasks.length === 1 ? Number.parseInt(get("cmi.core.lesson_location"), 10) : Number.NaN;

  /** Tells the platform that a task is solved. @param {number} i  its place in the list @param {number} share */
  function solve(i, share) {
    if (solved[i] >= share) return;
    solved[i] = share;
    set("cmi.suspend_data", JSON.stringify(solved));
    if (Object.keys(solved).length === tasks.length) {
      const score = Math.round((100 * Object.values(solved).reduce((sum, one) => sum + one, 0)) / tasks.length);
      if (!(best >= score)) {
        best = score;
        set("cmi.core.score.min", 0);
        set("cmi.core.score.max", 100);
        set("cmi.core.score.raw", score);
      }
      if (!done) set("cmi.core.lesson_status", "completed");
      done = true;
    }
    if (counts) api?.LMSCommit("");
  }

  let shown = false;

  addEventListener("message", (event) => {
    const { source, data } = event;
    if (source !== frame.contentWindow || event.origin !== origin) return;
    if (data?.source !== "lockstep" || data.version !== 1) return;
    if (data.type === "ready") {
      shown = true;
      say(reports ? "" : says.alone);
    } else if (data.type === "height" && data.height > 0) {
      frame.style.height = `${Math.min(Math.max(data.height, LOWEST), HIGHEST)}px`;
    }
    const task = tasks.indexOf(data.path);
    if (task < 0) return;
    if (data.type === "progress" && Number.isInteger(data.done) && Number.isInteger(data.of)) {
      if (tasks.length === 1 && furthest > data.done) return; // who begins again has been further
      furthest = data.done;
      set("cmi.core.lesson_location", `${tasks.length > 1 ? `${task + 1}: ` : ""}${data.done}/${data.of}`);
      if (counts) api?.LMSCommit("");
    } else if (data.type === "solved" && data.score >= 0 && data.score <= 1) {
      solve(task, data.score);
    }
  });
  const hello = () => frame.contentWindow?.postMessage({ source: "lockstep", version: 1, type: "hello" }, origin);
  frame.addEventListener("load", hello); // it may have spoken before this page listened
  if (!reports) say(says.alone);
  setTimeout(() => {
    if (!shown) say(says.refused.replace("{origin}", location.origin), true);
  }, PATIENCE_MS);

  // The end

  /** Returns a length of time as SCORM writes it. @param {number} ms */
  function timespan(ms) {
    const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
    const seconds = Math.floor(ms / 1000);
    return `${String(Math.min(9999, Math.floor(seconds / 3600))).padStart(4, "0")}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  }

  let ended = !reports;
  function end() {
    if (ended) return;
    ended = true;
    set("cmi.core.session_time", timespan(Date.now() - begun));
    set("cmi.core.exit", done ? "" : "suspend");
    api?.LMSCommit("");
    api?.LMSFinish("");
  }
  addEventListener("pagehide", end);
  addEventListener("beforeunload", () => {
    if (counts) api?.LMSCommit("");
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload(); // the platform takes no more from a page that has ended
  });
})();
