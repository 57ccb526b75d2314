/**
 * Tracks the reader of a run's page in the room. The server says whether they drive,
 * follow, or are at another run than the room, and what they may do; a reader who
 * looks elsewhere than the driver is away, which only the page knows. It knows
 * nothing of the page: it takes the server's messages and the reader's position, and
 * returns where to go.
 *
 * @typedef {import("../run/socket.js").Room} Room
 * @typedef {"drives" | "follows" | "away" | "own" | "ended" | "elsewhere" | "over"} State
 * @typedef {{to?: number, leave?: string, stay?: boolean}} Way  to: a position, END for the end; leave: for the path of another run, or of the reader's own part; stay: the page was to leave, and the room has come back
 */

/** The position of a driver who looks at the end, however far that is. */
export const END = -1;

/**
 * @param {object} options
 * @param {string} options.run  the path of the run whose page this is
 * @param {string} options.shown  that of the run which the room showed when the page was made
 * @param {string} options.state  the reader's, as the server says it
 * @param {boolean} options.presenter
 * @param {boolean} options.owner  the run is the reader's own
 * @param {boolean} options.apart  the page was asked for at a position of its own
 * @param {() => string} [options.part]  the path of the page where the presenter brings a phone; empty: the reader's screen is large, or they have no seat
 */
export function standing({ run, shown, state, presenter, owner, apart, part = () => "" }) {
  let cursor = END;
  /** @type {number | undefined} */
  let gathered;
  let over = false;
  let away = false;
  /** The page is about to follow the room to another run, wherever the room goes meanwhile. */
  let leaving = false;
  /** Where the page was before it heard of the room, and whether that was the end. @type {{position: number, end: boolean} | undefined} */
  let from;
  /** Positions that this page has told and not heard of yet: their echo leads nowhere. @type {number[]} */
  let told = [];

  const here = () => shown === run;
  const drives = () => state === "drives";
  /** @param {number} tip */
  const target = (tip) => (cursor === END ? tip : Math.min(cursor, tip));

  return {
    get state() {
      return /** @type {State} */ (state === "follows" && away ? "away" : state);
    },

    /** Takes in the server's news of the room. @param {Room} room @returns {Way} */
    hear(room) {
      const first = gathered === undefined;
      const called = gathered !== undefined && room.gathered > gathered;
      const was = here();
      const moved = first || room.at !== cursor;
      ({ at: cursor, gathered, run: shown } = room);
      over = Boolean(room.over);
      if (over) return {};
      if (called && !drives() && part()) return { leave: part() };
      const back = leaving && here();
      leaving = !here() && (leaving || (was && !owner) || (called && !presenter));
      if (!here()) return leaving ? { leave: shown } : {};
      if (back) return { to: cursor, stay: true };
      if (drives()) {
        away = false;
        const echo = told.indexOf(cursor);
        if (echo >= 0) told = told.slice(echo + 1);
        return moved && echo < 0 && !(first && apart) ? { to: cursor } : {};
      }
      told = [];
      if (first && apart) away = true;
      if (called) away = false;
      return away ? {} : { to: cursor };
    },

    /** Takes in what the server says of the reader. @param {string} now  their state @returns {Way} */
    sit(now) {
      const drove = drives();
      state = now;
      if (drives()) away = false;
      if (!drove || now !== "follows") return {};
      told = [];
      return { to: cursor };
    },

    /**
     * Takes in the position that the page shows. Returns the driver's position if the
     * server must be told.
     * @param {number} position
     * @param {number} tip
     * @returns {number | undefined}
     */
    look(position, tip) {
      if (gathered === undefined) {
        from ??= { position, end: position === tip };
        apart ||= from.end ? position !== tip : position !== from.position; // the reader has moved
        return undefined;
      }
      if (over || !here()) return undefined;
      if (!drives()) {
        away = position !== target(tip);
        return undefined;
      }
      const at = position === tip ? END : position;
      return at === (told.at(-1) ?? cursor) ? undefined : at;
    },

    /** Records that the driver's position is on its way to the server. @param {number} at */
    tell(at) {
      told.push(at);
    },

    /** Records the answer. @param {number} at */
    untell(at) {
      told = told.filter((other) => other !== at);
    },

    /** Leads back to the driver. @returns {Way} */
    back() {
      away = false;
      return { to: cursor };
    },
  };
}
