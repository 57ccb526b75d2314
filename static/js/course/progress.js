/**
 * Keeps what the reader has guessed, seen and solved in courses. Only the browser
 * has it, as one entry of its storage; a file with the same text carries it to
 * another browser. It holds no grades.
 *
 * A storage that refuses (a private window, a full disk) or holds rubbish breaks
 * no page: the page then remembers for as long as it is open.
 *
 * @typedef {{actions: number}} Solved  the fewest that it took; 0: proved or mended rather than broken
 * @typedef {object} Done
 * @property {boolean} done  the lesson was seen to its end
 * @property {Record<string, string>} guesses  by moment the name of the answer, or not-sure
 * @property {Record<string, Solved>} challenges  those that are solved
 * @property {number} missed  how often a wrong answer about the lesson followed a right one, or was the first
 * @property {number} recalled  how many of these the reader has made good: as many, and no question waits
 *
 * @typedef {Record<string, Record<string, Done>>} Courses  by course, then lesson
 *
 * The faults of a file, each with its sentence in views/course_words.go: the file
 * holds no progress, comes from a newer Lockstep, or the storage refuses it.
 * @typedef {"foreign" | "newer" | "refused"} Fault
 */

const ENTRY = "progress";
const VERSION = 1; // a record without missed and recalled is an older one of it

/** Longest file, in letters: far more than all courses fill. */
export const MAX_FILE = 1_000_000;

/** Names are as in engine/course: of courses, lessons, moments, answers and challenges. */
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * @param {Pick<Storage, "getItem" | "setItem"> | undefined} [storage]  undefined: there is none
 */
export function progress(storage = browsers()) {
  /** Entries that the storage has refused. @type {Courses} */
  let held = {};

  /** Reads the storage each time, because another window may have written. @returns {Courses} */
  function read() {
    const stored = coursesIn(entry() ?? "");
    return merged(typeof stored === "string" ? {} : stored, held);
  }

  /** Returns the content of the storage, which may be empty; undefined: the storage refuses to say. */
  function entry() {
    try {
      return storage?.getItem(ENTRY);
    } catch {
      return undefined;
    }
  }

  /** Reports whether the storage took it. @param {Courses} courses */
  function write(courses) {
    try {
      if (!storage || coursesIn(entry() ?? "") === "newer") throw new Error("there is no storage for it");
      storage.setItem(ENTRY, textOf(courses));
      held = {};
      return true;
    } catch {
      held = courses;
      return false;
    }
  }

  /**
   * Adds to the record of a lesson.
   * @param {string} course
   * @param {string} lesson
   * @param {Partial<Done>} more
   */
  function add(course, lesson, more) {
    write(merged(read(), { [course]: { [lesson]: { ...nothing(), ...more } } }));
  }

  return {
    /** Reports whether the browser has a storage for it. */
    lasts: () => entry() !== undefined,
    /** Records an answer to the prediction at a moment; the last one counts. @param {string} course @param {string} lesson @param {string} moment @param {string} answer  or not-sure */
    guessed(course, lesson, moment, answer) {
      add(course, lesson, { guesses: { [moment]: answer } });
    },
    /**
     * Records whether the reader knew the answer to a question about a lesson. Until the next right one, a wrong one waits.
     * @param {string} course
     * @param {string} lesson
     * @param {boolean} right
     */
    knew(course, lesson, right) {
      const { missed, recalled } = this.of(course, lesson);
      add(course, lesson, right ? { recalled: missed } : { missed: recalled + 1 });
    },
    /** Reports whether a question about a lesson waits for its reader. @param {string} course @param {string} lesson */
    waits(course, lesson) {
      const { missed, recalled } = this.of(course, lesson);
      return missed > recalled;
    },
    /** Records that the reader saw a lesson to its end. @param {string} course @param {string} lesson */
    finished(course, lesson) {
      add(course, lesson, { done: true });
    },
    /** Records that a challenge is solved. @param {string} course @param {string} lesson @param {string} challenge @param {number} actions  0: proved or mended */
    solved(course, lesson, challenge, actions) {
      add(course, lesson, { challenges: { [challenge]: { actions } } });
    },
    /** Returns the record of a lesson. @param {string} course @param {string} lesson @returns {Done} */
    of(course, lesson) {
      return own(own(read(), course) ?? {}, lesson) ?? nothing();
    },
    /** Returns everything as the text of a file. */
    text() {
      return textOf(read());
    },
    /**
     * Adds the content of a file; nothing that is here already is lost.
     * @param {string} text
     * @returns {Fault | undefined}  why nothing was changed
     */
    take(text) {
      const courses = text.length > MAX_FILE ? "foreign" : coursesIn(text);
      if (typeof courses === "string") return courses;
      const before = held;
      if (write(merged(courses, read()))) return undefined;
      held = before;
      return "refused";
    },
    /** Forgets the record of a course. @param {string} course */
    forget(course) {
      const { [course]: _, ...others } = read();
      write(others);
    },
  };
}

/** Returns the storage of the browser; undefined: it has none for this page. */
function browsers() {
  try {
    return globalThis.localStorage;
  } catch {
    return globalThis.parent === globalThis.window ? undefined : inName();
  }
}

/** A browser may refuse a storage to the frame of another site. The name of the frame lasts from page to page in it, and nobody else needs one. */
function inName() {
  return {
    getItem: () => window.name,
    /** @param {string} _ @param {string} text */
    setItem(_, text) {
      window.name = text;
    },
  };
}

/** @returns {Done} */
function nothing() {
  return { done: false, guesses: {}, challenges: {}, missed: 0, recalled: 0 };
}

/**
 * Joins two records. Of two guesses the second counts, of two solutions the shorter.
 * @param {Courses} first
 * @param {Courses} second
 * @returns {Courses}
 */
function merged(first, second) {
  return both(first, second, (a, b) =>
    both(a, b, (a, b) => ({
      done: a.done || b.done,
      guesses: { ...a.guesses, ...b.guesses },
      challenges: both(a.challenges, b.challenges, (a, b) => ({ actions: Math.min(a.actions, b.actions) })),
      missed: Math.max(a.missed, b.missed),
      recalled: Math.max(a.recalled, b.recalled),
    })),
  );
}

/**
 * Joins the entries of two objects.
 * @template T
 * @param {Record<string, T>} first
 * @param {Record<string, T>} second
 * @param {(a: T, b: T) => T} join
 * @returns {Record<string, T>}
 */
function both(first, second, join) {
  const all = { ...first };
  for (const [name, b] of Object.entries(second)) {
    const a = own(first, name);
    all[name] = a === undefined ? b : join(a, b);
  }
  return all;
}

/**
 * Returns an object's own entry, and not what every object has, such as constructor.
 * @template T
 * @param {Record<string, T>} all
 * @param {string} name
 * @returns {T | undefined}
 */
function own(all, name) {
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

/** @param {Courses} courses */
function textOf(courses) {
  return `${JSON.stringify({ version: VERSION, courses })}\n`;
}

/**
 * Parses a text, or returns its fault.
 * @param {string} text
 * @returns {Courses | Fault}
 */
function coursesIn(text) {
  try {
    const { version, courses } = object(JSON.parse(text));
    if (typeof version !== "number" || !Number.isInteger(version) || version < 1) return "foreign";
    if (version > VERSION) return "newer";
    return entries(courses, (course) => entries(course, doneIn));
  } catch {
    return "foreign";
  }
}

/** @param {unknown} value @returns {Done} */
function doneIn(value) {
  const { done = false, guesses = {}, challenges = {}, missed = 0, recalled = 0 } = object(value);
  return {
    done: boolean(done),
    guesses: entries(guesses, answer),
    challenges: entries(challenges, solvedIn),
    missed: count(missed),
    recalled: count(recalled),
  };
}

/** @param {unknown} value @returns {Solved} */
function solvedIn(value) {
  return { actions: count(object(value).actions) };
}

/** @param {unknown} value */
function count(value) {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) throw new TypeError("no count");
  return value;
}

/** @param {unknown} value */
function answer(value) {
  if (typeof value !== "string" || !NAME.test(value)) throw new TypeError("no name of an answer");
  return value;
}

/** @param {unknown} value */
function boolean(value) {
  if (typeof value !== "boolean") throw new TypeError("neither true nor false");
  return value;
}

/** @param {unknown} value @returns {Record<string, unknown>} */
function object(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("no object");
  return /** @type {Record<string, unknown>} */ (value);
}

/**
 * Reads each entry of an object.
 * @template T
 * @param {unknown} value
 * @param {(value: unknown) => T} read
 * @returns {Record<string, T>}
 */
function entries(value, read) {
  return Object.fromEntries(
    Object.entries(object(value)).map(([name, value]) => {
      if (!NAME.test(name)) throw new TypeError("no name");
      return [name, read(value)];
    }),
  );
}
