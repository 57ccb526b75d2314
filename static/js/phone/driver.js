/**
 * Leads the class through the run, from a remote or from the strip above the wall. A press need not wait for the answer to
 * the one before: it goes on from where that leads.
 *
 * @typedef {import("./cursor.js").Place} Place
 */

import { backward, forward, nextBreak, placeOf } from "./cursor.js";

/**
 * @param {number} at  the driver's position when the page was made; -1: the end
 * @param {() => ReturnType<typeof import("../room/connection.js").room>} server
 * @param {() => void} show  the position is another one
 */
export function driver(at, server, show) {
  /** The driver's position, as the server told it. */
  let told = at;
  /** The same position once all presses are answered. */
  let cursor = told;

  const place = () => placeOf(cursor, server().actions());

  /** @param {number} to */
  function look(to) {
    const cut = to < server().actions() ? to : -1;
    if (!server().ask({ verb: "cursor", at: String(cut) })) return;
    cursor = cut;
    show();
  }

  /** No press is on its way: what the server told is where the driver looks. */
  function settle() {
    cursor = told;
    show();
  }

  /** Goes somewhere from where the presses before lead. @param {(from: Place) => number} way */
  const go = (way) => server().press(() => look(way(place())));

  return {
    place,
    settle,
    /** Where on the wire the driver looks; -1: the end. */
    cursor: () => cursor,

    /** Takes what the server says of the driver's position: while a press has no answer, it is the echo of an earlier one. @param {number} at */
    hear(at) {
      told = at;
      if (server().busy()) show();
      else settle();
    },

    /** The room shows another run: its end. */
    begin() {
      cursor = told = -1;
    },

    step: () => server().press(() => (place().end ? server().schedule() : look(forward(place())))),
    back: () => go(backward),
    /** @param {number[]} breaks  where violations begin */
    violation: (breaks) => go((from) => nextBreak(from, breaks)),
  };
}
