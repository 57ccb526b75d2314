/**
 * Chooses the tiles of the wall that are shown, and their order.
 *
 * @typedef {{state: string, actions: number, seat: number, solved: boolean, claims?: number, name: string}} Facts  of somebody's own run; claims: wrong ones, that nobody can break the lock
 */

/** The order in which a presenter wants to see the states. */
const STATES = ["broken", "stuck", "claimed", "safe", "new"];

/**
 * @template T
 * @param {T[]} tiles
 * @param {string} by  state, name or actions
 * @param {string} lang  names are sorted as its readers look them up
 * @param {(tile: T) => Facts} factsOf
 * @returns {T[]}
 */
export function arranged(tiles, by, lang, factsOf) {
  const { compare } = new Intl.Collator(lang);
  /** @type {Record<string, (a: Facts, b: Facts) => number>} */
  const orders = {
    state: (a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state),
    name: (a, b) => compare(a.name, b.name),
    actions: (a, b) => b.actions - a.actions,
  };
  const facts = new Map(tiles.map((tile) => [tile, factsOf(tile)]));
  const of = (/** @type {T} */ tile) => /** @type {Facts} */ (facts.get(tile));
  return tiles.toSorted((a, b) => orders[by](of(a), of(b)) || of(a).seat - of(b).seat);
}

/** Reports whether a tile passes a filter. @param {Facts} facts @param {string} filter  all, solved or a state */
export function counted({ state, solved, claims = 0 }, filter) {
  if (filter === "all") return true;
  if (filter === "solved") return solved;
  return state === filter || (filter === "claimed" && claims > 0);
}
