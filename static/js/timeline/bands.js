/**
 * Computes the key bands: the value that a key of a node holds, its writer, and its
 * end. The page knows no lock: only Redis ends a band.
 *
 * @typedef {import("../trace/state.js").Sentence} Sentence
 * @typedef {import("../trace/state.js").Stored} Stored
 * @typedef {import("./moments.js").Moment} Moment
 *
 * @typedef {object} Band
 * @property {number} seq  of the event that wrote it
 * @property {Sentence} sentence
 * @property {string} node
 * @property {string} key
 * @property {string} value
 * @property {string} writer
 * @property {boolean} [counted]  a counter's number: no lock
 * @property {number} expires  true time at which its TTL runs out, ms; 0: never
 * @property {number} from
 * @property {number} to
 * @property {boolean} open  it lasts to the playhead
 * @property {number} over  seq of the expiry that ended it; 0: its TTL did not run out
 * @property {Sentence} overSentence
 * @property {number} expired  the moment at which its writer's lease ended; Infinity: it has not
 */

/**
 * @param {Moment[]} moments
 * @param {number} end
 * @returns {Band[]}
 */
export function bands(moments, end) {
  /** @type {Band[]} */
  const all = [];
  /** @type {Map<string, Band>} */
  const open = new Map();
  for (const { event, at } of moments) {
    const node = event.lane ?? "";
    for (const change of event.changes ?? []) {
      const id = `${node} ${change.key}`;
      const before = open.get(id);
      if (before && change.new && prolongs(before, change.new)) {
        before.expires = change.new.expires ?? 0;
        continue;
      }
      if (before) {
        const ttl = event.kind === "expire";
        Object.assign(before, { to: at, open: false, over: ttl ? event.seq : 0, overSentence: event.sentence });
        open.delete(id);
      }
      if (!change.new) continue;
      const { value, writer, expires = 0, counted } = change.new;
      /** @type {Band} */
      const band = {
        seq: event.seq, sentence: event.sentence, node, key: change.key, value, writer, counted, expires,
        from: at, to: end, open: true, over: 0, overSentence: event.sentence, expired: Infinity,
      };
      all.push(band);
      open.set(id, band);
    }
  }
  return all;
}

/** Only its life was prolonged or cut: still the same value of the same writer.
 * @param {Band} band
 * @param {Stored} stored
 */
function prolongs(band, stored) {
  return band.value === stored.value && band.writer === stored.writer;
}
