/**
 * Fetches the part of a log that no message has brought, stretch after stretch, and
 * retries while the server cannot be reached.
 *
 * @typedef {import("../trace/log.js").Log} Log
 * @typedef {import("./socket.js").Stretch} Stretch
 */

import { backOff } from "./socket.js";
import { complete, extent } from "../trace/log.js";

/**
 * @param {object} options
 * @param {() => string} options.address  where to ask, without the extent of the log
 * @param {() => Log} options.log  as it is now
 * @param {(stretch: Stretch) => void} options.take  adds it to the log, if it belongs there
 */
export function backfill({ address, log, take }) {
  /** @type {Promise<void> | undefined} */
  let coming;

  async function ask() {
    for (let failed = 0; !complete(log());) {
      const known = extent(log());
      const stretch = await answer(`${address()}&${known}`);
      if (stretch) take(stretch);
      if (extent(log()) !== known) failed = 0;
      else await new Promise((done) => setTimeout(done, backOff(failed++, Math.random())));
    }
    coming = undefined;
  }

  /** Fetches what is missing. @returns {Promise<void>} when nothing is missing any more */
  return () => (complete(log()) ? Promise.resolve() : (coming ??= ask()));
}

/** @param {string} address @returns {Promise<Stretch | undefined>}  undefined: there is no answer now */
async function answer(address) {
  try {
    const got = await fetch(address);
    return got.ok ? await got.json() : undefined;
  } catch {
    return undefined;
  }
}
