import assert from "node:assert/strict";
import test from "node:test";

import { MAX_FILE, progress } from "./progress.js";

/** A storage in memory. @param {string} [entry]  what it holds already */
function storage(entry) {
  let held = entry ?? null;
  return {
    getItem: () => held,
    setItem: (/** @type {string} */ _, /** @type {string} */ text) => void (held = text),
  };
}

const nothing = { done: false, guesses: {}, challenges: {}, missed: 0, recalled: 0 };

test("the next page has what the reader has done", () => {
  const kept = storage();
  const first = progress(kept);
  assert.deepEqual(first.of("redis-lock", "race"), nothing);
  first.guessed("redis-lock", "race", "late", "nothing");
  first.guessed("redis-lock", "race", "late", "removes");
  first.guessed("redis-lock", "race", "gone", "not-sure");
  first.finished("redis-lock", "race");
  first.solved("redis-lock", "race", "break", 8);
  first.solved("redis-lock", "race", "mend", 0);
  first.finished("redis-lock", "nil");
  const next = progress(kept);
  assert.deepEqual(next.of("redis-lock", "race"), {
    ...nothing,
    done: true,
    guesses: { late: "removes", gone: "not-sure" },
    challenges: { break: { actions: 8 }, mend: { actions: 0 } },
  });
  assert.deepEqual(next.of("redis-lock", "nil"), { ...nothing, done: true });
  assert.deepEqual(next.of("another", "race"), nothing);
  assert.deepEqual(JSON.parse(next.text()).courses["redis-lock"].race.guesses, { late: "removes", gone: "not-sure" });
});

test("a challenge keeps its fewest actions", () => {
  const p = progress(storage());
  for (const actions of [12, 8, 10]) p.solved("c", "l", "break", actions);
  assert.deepEqual(p.of("c", "l").challenges, { break: { actions: 8 } });
});

test("two windows do not overwrite each other's progress", () => {
  const kept = storage();
  const [one, other] = [progress(kept), progress(kept)];
  one.finished("c", "first");
  other.finished("c", "second");
  one.finished("c", "third");
  for (const lesson of ["first", "second", "third"]) assert.equal(other.of("c", lesson).done, true, lesson);
});

test("a file adds to what is there and takes nothing away", () => {
  const from = progress(storage());
  from.guessed("c", "l", "m", "one");
  from.finished("c", "l");
  from.solved("c", "l", "break", 5);
  from.solved("c", "l", "hold", 0);
  from.finished("d", "l");
  const to = progress(storage());
  to.guessed("c", "l", "m", "two");
  to.solved("c", "l", "break", 7);
  to.solved("c", "l", "other", 3);
  to.finished("c", "k");
  assert.equal(to.take(from.text()), undefined);
  assert.deepEqual(to.of("c", "l"), {
    ...nothing,
    done: true,
    guesses: { m: "two" },
    challenges: { break: { actions: 5 }, hold: { actions: 0 }, other: { actions: 3 } },
  });
  assert.equal(to.of("c", "k").done, true);
  assert.equal(to.of("d", "l").done, true);
  const text = to.text();
  assert.equal(to.take(text), undefined, "its own file");
  assert.equal(to.text(), text);
});

test("a wrong answer waits until a right one", () => {
  const kept = storage();
  const p = progress(kept);
  const waits = () => p.waits("c", "l");
  p.knew("c", "l", true);
  assert.equal(waits(), false, "nothing was wrong");
  p.knew("c", "l", false);
  p.knew("c", "l", false);
  assert.equal(waits(), true);
  assert.equal(progress(kept).waits("c", "l"), true, "in another window");
  assert.equal(p.waits("c", "k"), false);
  const earlier = p.text();
  p.knew("c", "l", true);
  assert.equal(waits(), false, "one right answer makes all wrong ones good");
  assert.equal(p.take(earlier), undefined);
  assert.equal(waits(), false, "an older file brings back nothing");
  p.knew("c", "l", false);
  assert.equal(waits(), true, "forgotten again");
});

test("a file from before questions came back holds nothing that waits", () => {
  const p = progress(storage());
  assert.equal(p.take('{"version":1,"courses":{"c":{"l":{"done":true,"guesses":{"m":"one"}}}}}'), undefined);
  assert.deepEqual(p.of("c", "l"), { ...nothing, done: true, guesses: { m: "one" } });
});

test("a foreign file changes nothing", () => {
  const p = progress(storage());
  p.finished("c", "l");
  const before = p.text();
  const faults = {
    "": "foreign",
    "{not json": "foreign",
    null: "foreign",
    "[]": "foreign",
    "{}": "foreign",
    '{"format":"lockstep.trace","version":1}': "foreign",
    '{"version":"1","courses":{}}': "foreign",
    '{"version":0,"courses":{}}': "foreign",
    '{"version":1,"courses":[]}': "foreign",
    '{"version":1,"courses":{"c":{"l":{"done":"yes"}}}}': "foreign",
    '{"version":1,"courses":{"c":{"l":{"guesses":{"m":7}}}}}': "foreign",
    '{"version":1,"courses":{"c":{"l":{"guesses":{"m":"<b>"}}}}}': "foreign",
    '{"version":1,"courses":{"c":{"k":{"done":true},"l":{"challenges":{"b":{"actions":-1}}}}}}': "foreign",
    '{"version":1,"courses":{"c":{"l":{"challenges":{"b":{"actions":1e400}}}}}}': "foreign",
    '{"version":1,"courses":{"__proto__":{"l":{"done":true}}}}': "foreign",
    '{"version":1,"courses":{"c":{"l":{"missed":-1}}}}': "foreign",
    '{"version":1,"courses":{"c":{"l":{"recalled":"1"}}}}': "foreign",
    '{"version":2,"lessons":{}}': "newer",
  };
  for (const [text, fault] of Object.entries(faults)) assert.equal(p.take(text), fault, text);
  assert.equal(p.take(" ".repeat(MAX_FILE) + before), "foreign", "too long");
  assert.equal(p.text(), before);
});

test("a name that every object has is a name like any other", () => {
  const p = progress(storage());
  assert.deepEqual(p.of("constructor", "constructor"), nothing);
  p.solved("constructor", "valueof", "constructor", 4);
  p.solved("constructor", "valueof", "constructor", 3);
  assert.deepEqual(p.of("constructor", "valueof").challenges, { constructor: { actions: 3 } });
  assert.equal(progress(storage()).take(p.text()), undefined);
});

test("rubbish in the storage counts as nothing", () => {
  for (const rubbish of ["", "rubbish", "null", "[1]", '{"version":1}', '{"version":1,"courses":{"c":7}}']) {
    const p = progress(storage(rubbish));
    assert.deepEqual(p.of("c", "l"), nothing, rubbish);
    p.finished("c", "l");
    assert.equal(p.of("c", "l").done, true, rubbish);
  }
});

test("what a newer Lockstep has stored stays", () => {
  const newer = '{"version":2,"lessons":{}}';
  const stored = storage(newer);
  const p = progress(stored);
  p.finished("c", "l");
  assert.equal(p.of("c", "l").done, true, "the page remembers");
  assert.equal(stored.getItem(), newer);
});

test("without a storage the page remembers while it is open", () => {
  const refuses = () => {
    throw new DOMException("no", "QuotaExceededError");
  };
  for (const [name, p] of Object.entries({
    none: progress(undefined),
    full: progress({ getItem: () => null, setItem: refuses }),
    forbidden: progress({ getItem: refuses, setItem: refuses }),
  })) {
    assert.equal(p.lasts(), name === "full", name);
    p.finished("c", "l");
    p.solved("c", "l", "break", 4);
    assert.deepEqual(p.of("c", "l"), { ...nothing, done: true, challenges: { break: { actions: 4 } } }, name);
    const before = p.text();
    assert.equal(p.take('{"version":1,"courses":{"c":{"k":{"done":true}}}}'), "refused", name);
    assert.equal(p.text(), before, name);
  }
});

test("a storage that was full takes the progress once it has room", () => {
  let full = true;
  const kept = storage();
  const p = progress({
    ...kept,
    setItem(name, text) {
      if (full) throw new DOMException("no", "QuotaExceededError");
      kept.setItem(name, text);
    },
  });
  p.finished("c", "first");
  full = false;
  p.finished("c", "second");
  assert.deepEqual([progress(kept).of("c", "first").done, progress(kept).of("c", "second").done], [true, true]);
});

test("starting over forgets one course", () => {
  const kept = storage();
  const p = progress(kept);
  p.finished("c", "l");
  p.finished("d", "l");
  p.forget("c");
  assert.deepEqual([p.of("c", "l").done, p.of("d", "l").done], [false, true]);
  assert.equal(progress(kept).of("c", "l").done, false);
});
