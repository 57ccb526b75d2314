/**
 * What the reader has done in courses. It is kept by the browser and nowhere
 * else, as one entry of its storage, and travels from one browser to another as
 * a file with the same text. Nothing in it is a mark: it is what the reader has
 * guessed, seen and solved.
 *
 * A storage that refuses (a private window, a full disk) or holds rubbish breaks
 * no page: what is done then is known for as long as the page is open.
 *
 * @typedef {{actions: number}} Solved  the fewest that it took; 0: proved or mended rather than broken
 * @typedef {object} Done
 * @property {boolean} done  the lesson was seen to its end
 * @property {Record<string, string>} guesses  by moment the name of the answer, or not-sure
 * @property {Record<string, Solved>} challenges  those that are solved
 *
 * @typedef {Record<string, Record<string, Done>>} Courses  by course, then lesson
 *
 * What is wrong with a file, each with its sentence in views/course_words.go:
 * it is no progress at all, comes from a newer Lockstep, or the storage refuses it.
 * @typedef {"foreign" | "newer" | "refused"} Fault
 */

const ENTRY = "progress";
const VERSION = 1;

/** Letters of a file: far more than anybody can do in all courses there are. */
export const MAX_FILE = 1_000_000;

/** Names are as in engine/course: of courses, lessons, moments, answers and challenges. */
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * @param {Pick<Storage, "getItem" | "setItem"> | undefined} [storage]  undefined: there is none
 */
export function progress(storage = browsers()) {
  /** What the storage has refused. @type {Courses} */
  let held = {};

  /** Asked anew each time, as another window may have written. @returns {Courses} */
  function read() {
    const stored = coursesIn(entry() ?? "");
    return merged(typeof stored === "string" ? {} : stored, held);
  }

  /** What the storage holds, which may be nothing; undefined: it does not say. */
  function entry() {
    try {
      return storage?.getItem(ENTRY);
    } catch {
      return undefined;
    }
  }

  /** Whether the storage has taken it. @param {Courses} courses */
  function write(courses) {
    try {
      if (!storage) throw new Error("there is no storage");
      storage.setItem(ENTRY, textOf(courses));
      held = {};
      return true;
    } catch {
      held = courses;
      return false;
    }
  }

  /**
   * Adds to what was done in a lesson.
   * @param {string} course
   * @param {string} lesson
   * @param {Partial<Done>} more
   */
  function add(course, lesson, more) {
    write(merged(read(), { [course]: { [lesson]: { ...nothing(), ...more } } }));
  }

  return {
    /** Whether the browser has a storage for it. */
    lasts: () => entry() !== undefined,
    /** An answer was given to the prediction at a moment; the last one counts. @param {string} course @param {string} lesson @param {string} moment @param {string} answer  or not-sure */
    guessed(course, lesson, moment, answer) {
      add(course, lesson, { guesses: { [moment]: answer } });
    },
    /** The lesson was seen to its end. @param {string} course @param {string} lesson */
    finished(course, lesson) {
      add(course, lesson, { done: true });
    },
    /** A challenge is solved. @param {string} course @param {string} lesson @param {string} challenge @param {number} actions  0: proved or mended */
    solved(course, lesson, challenge, actions) {
      add(course, lesson, { challenges: { [challenge]: { actions } } });
    },
    /** What was done in a lesson. @param {string} course @param {string} lesson @returns {Done} */
    of(course, lesson) {
      return own(own(read(), course) ?? {}, lesson) ?? nothing();
    },
    /** Everything, as it stands in a file. */
    text() {
      return textOf(read());
    },
    /**
     * Adds what is in a file; nothing is lost that is here already.
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
    /** Forgets what was done in a course. @param {string} course */
    forget(course) {
      const { [course]: _, ...others } = read();
      write(others);
    },
  };
}

/** The storage of the browser; undefined: it has none for this page. */
function browsers() {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** @returns {Done} */
function nothing() {
  return { done: false, guesses: {}, challenges: {} };
}

/**
 * Both together. Of two guesses the second's counts, of two solutions the shorter.
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
    })),
  );
}

/**
 * The entries of two objects; what both have is joined.
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
 * An entry of an object, but not what every object has, such as constructor.
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
 * What a text says, or what is wrong with it.
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
  const { done = false, guesses = {}, challenges = {} } = object(value);
  return { done: boolean(done), guesses: entries(guesses, answer), challenges: entries(challenges, solvedIn) };
}

/** @param {unknown} value @returns {Solved} */
function solvedIn(value) {
  const { actions } = object(value);
  if (typeof actions !== "number" || !Number.isInteger(actions) || actions < 0) throw new TypeError("no number of actions");
  return { actions };
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
 * The entries of an object, each read.
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
