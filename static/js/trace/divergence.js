/**
 * Finds where two runs diverge: the first event that differs. The name of a program,
 * and the line of a client, do not count: the same commands with the same replies are
 * the same run.
 *
 * @typedef {import("./state.js").Event} Event
 */

/** Events whose sentence names the program or a place in it. */
const ABOUT_PROGRAM = ["spawn", "restart", "error"];

/**
 * Counts the events that two runs have in common, from the beginning.
 * @param {Event[]} here
 * @param {Event[]} there
 * @param {number} [known]  the number of events that are known to be the same
 */
export function common(here, there, known = 0) {
  let n = known;
  while (n < here.length && n < there.length && same(here[n], there[n])) n++;
  return n;
}

/** Reports whether two events are the same. @param {Event} a @param {Event} b */
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

/** Returns the sentence of an event, in the languages in which it came. @param {Event} event */
const sentence = ({ sentence }) => Object.values(sentence).join();

/** Reports whether a client appears whose commands are typed by hand. @param {Event} event */
const byHand = ({ kind, spawned }) => kind === "spawn" && !spawned?.program;

/** @param {string[] | undefined} a @param {string[] | undefined} b */
const equal = (a, b) => a?.length === b?.length && (a ?? []).every((word, i) => word === b?.[i]);

/**
 * Returns the position of the other run for one of this. Two runs of one schedule
 * compare by its actions: an action that was not possible in a run counts with the
 * one before it. Other runs compare by the number of actions.
 * @param {number} position
 * @param {{here: number[], there: number[]}} omitted  places in the schedule, counted from 1 and ascending, that a run has left out
 */
export function counterpart(position, { here, there }) {
  let place = position;
  for (const left of here) if (left <= place + 1) place++;
  return place - there.filter((left) => left <= place).length;
}
