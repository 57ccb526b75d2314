/**
 * The sizes of letters in the picture, px. What decides is the largest: the value that a command read, the value of a key, the
 * time after a tick. Where rows stand close, it is larger than the rest by a little.
 *
 * @typedef {typeof ROOMY} Type
 */

/** The least letters. */
export const WORD = 14;

const ROOMY = { command: 15, read: 19, value: 22, clock: 22, state: 15, name: 15, inside: 15, flag: 16 };

/** @type {Type} */
export const CLOSE = { command: 14, read: 16, value: 17, clock: 17, state: 14, name: 14, inside: 14, flag: 15 };

/** @param {boolean} close  rows stand close */
export const typeOf = (close) => (close ? CLOSE : ROOMY);
