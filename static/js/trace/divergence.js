/**
 * Where two runs part: the first event in which something else has happened.
 * What a program is called, and where in its text a client stands, is no part
 * of that: the same commands with the same replies are the same run.
 *
 * @typedef {import("./state.js").Event} Event
 */

/** Events whose sentence names the program or a place in it. */
const ABOUT_PROGRAM = ["spawn", "restart", "error"];

/**
 * How many events two runs have in common, from the beginning.
 * @param {Event[]} here
 * @param {Event[]} there
 * @param {number} [known]  so many are known to be the same
 */
export function common(here, there, known = 0) {
  let n = known;
  while (n < here.length && n < there.length && same(here[n], there[n])) n++;
  return n;
}

/** Whether the same has happened. @param {Event} a @param {Event} b */
export function same(a, b) {
  return (
    a.kind === b.kind &&
    a.lane === b.lane &&
    a.time === b.time &&
    a.call?.client === b.call?.client &&
    a.call?.node === b.call?.node &&
    equal(a.call?.command, b.call?.command) &&
    a.execution?.reply.text === b.execution?.reply.text &&
    (ABOUT_PROGRAM.includes(a.kind) ? byHand(a) === byHand(b) : sentence(a) === sentence(b))
  );
}

/** What both say, in the languages in which they were told. @param {Event} event */
const sentence = ({ sentence }) => Object.values(sentence).join();

/** Whether somebody appears whose commands are typed by hand. @param {Event} event */
const byHand = ({ kind, spawned }) => kind === "spawn" && !spawned?.program;

/** @param {string[] | undefined} a @param {string[] | undefined} b */
const equal = (a, b) => a?.length === b?.length && (a ?? []).every((word, i) => word === b?.[i]);

/**
 * The position of the other run that belongs to one of this. Two runs of one
 * schedule are compared by its actions: one that was not possible in a run is
 * passed along with the action before it. Other runs are compared by the number
 * of actions.
 * @param {number} position
 * @param {{here: number[], there: number[]}} omitted  places in the schedule, counted from 1 and ascending, that a run has left out
 */
export function counterpart(position, { here, there }) {
  let place = position;
  for (const left of here) if (left <= place + 1) place++;
  return place - there.filter((left) => left <= place).length;
}
