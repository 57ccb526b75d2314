/**
 * Critical sections, and under each its belief strip. A section is where the
 * client is; the strip is solid while the client believes in its lease and the
 * key bears it out, and an outline where belief has ended or truth has changed.
 *
 * @typedef {import("../store.js").Event} Event
 * @typedef {import("../store.js").Sentence} Sentence
 * @typedef {import("./moments.js").Moment} Moment
 * @typedef {import("./bands.js").Band} Band
 *
 * @typedef {{from: number, to: number, borneOut: boolean}} Belief
 *
 * @typedef {object} Section
 * @property {number} seq  of the enter
 * @property {Sentence} sentence
 * @property {string} client
 * @property {number} from
 * @property {number} to
 * @property {"leave" | "crash" | "error" | "open"} ending
 * @property {Belief[]} strip
 * @property {{from: number, to: number}[]} hatched  where a violation makes it one holder of several
 */

/**
 * @param {Moment[]} moments
 * @param {Band[]} bands  those whose writer's lease ends are marked expired
 * @param {number} nodes  how many Redis nodes the run has
 * @param {number} end
 * @returns {Section[]}
 */
export function sections(moments, bands, nodes, end) {
  return moments.flatMap((moment, i) =>
    moment.event.kind === "enter" ? [section(moment, moments.slice(i + 1), moments.slice(0, i), bands, nodes, end)] : [],
  );
}

/**
 * @param {Moment} enter
 * @param {Moment[]} later
 * @param {Moment[]} earlier
 * @param {Band[]} bands
 * @param {number} nodes
 * @param {number} end
 * @returns {Section}
 */
function section(enter, later, earlier, bands, nodes, end) {
  const { event, at: from } = enter;
  const client = event.lane ?? "";
  const own = later.filter((m) => m.event.lane === client);
  const last = own.find((m) => ENDINGS.has(m.event.kind));
  const to = last?.at ?? end;
  const ending = /** @type {Section["ending"]} */ (last?.event.kind ?? "open");

  const chains = lockBands(enter, bands).map((band) => held(band, bands));
  const leaseEnds = leaseEnd(enter, later, earlier, to);
  for (const band of chains.flat()) {
    // A key with a TTL is there until Redis drops it: only a time that is a value expires in silence.
    if (!band.expires && leaseEnds < band.to) band.expired = Math.max(band.from, leaseEnds);
  }

  const truth = truthEnds(chains, nodes, from);
  const strip = cut(belief(enter, own, to), truth);
  if (ending === "crash" && leaseEnds > to && event.lease?.until) {
    // The lease outlives the client: that is what keeps the others out.
    const restart = own.find((m) => m.event.kind === "restart")?.at ?? end;
    strip.push({ from: to, to: Math.min(leaseEnds, restart, end), borneOut: false });
  }
  return { seq: event.seq, sentence: event.sentence, client, from, to, ending, strip, hatched: [] };
}

const ENDINGS = new Set(["leave", "crash", "error"]);

/**
 * The bands that make up the client's lock: what it wrote that carries its
 * owner token or its expiry, or, when nothing does, all that it wrote.
 * @param {Moment} enter
 * @param {Band[]} bands
 */
function lockBands({ event, at }, bands) {
  const own = bands.filter((b) => b.writer === event.lane && b.from <= at && at < b.to);
  const { token, until } = event.lease ?? {};
  const marked = own.filter((b) => b.value === token || (until && b.value === String(until / 1000)));
  return marked.length ? marked : own;
}

/**
 * A band and those that follow it without a gap by the same writer: the client
 * may renew its lock.
 * @param {Band} first
 * @param {Band[]} bands
 */
function held(first, bands) {
  const chain = [first];
  for (const band of bands) {
    const tail = chain[chain.length - 1];
    if (band.node === tail.node && band.key === tail.key && band.from === tail.to && band.writer === tail.writer) chain.push(band);
  }
  return chain;
}

/**
 * The moment at which fewer than a majority of the nodes still bear the lock out.
 * @param {Band[][]} chains
 * @param {number} nodes
 * @param {number} from
 */
function truthEnds(chains, nodes, from) {
  const majority = Math.floor(nodes / 2) + 1;
  if (chains.length < majority) return from;
  const ends = chains.map((c) => c[c.length - 1]).map((b) => (b.open ? Infinity : b.to)).sort((a, b) => a - b);
  return ends[chains.length - majority];
}

/**
 * The moment at which the lease ends. While the client is inside, the engine
 * says so; afterwards nobody asks the client any more, and the clock decides.
 * @param {Moment} enter
 * @param {Moment[]} later
 * @param {Moment[]} earlier
 * @param {number} left  the moment at which it was inside no more
 */
function leaseEnd(enter, later, earlier, left) {
  const client = enter.event.lane;
  const until = enter.event.lease?.until ?? Infinity;
  if (enter.event.believes === false) return enter.at;
  let skew = earlier.reduce((s, m) => skewOf(m.event, client) ?? s, 0);
  for (const { event, at } of later) {
    skew = skewOf(event, client) ?? skew;
    if (at < left ? event.lane === client && event.kind === "expire" : event.time + skew >= until) return at;
  }
  return Infinity;
}

/** @param {Event} event @param {string | undefined} client */
function skewOf(event, client) {
  if (event.lane !== client) return undefined;
  return event.kind === "spawn" ? (event.spawned?.skew ?? 0) : event.kind === "skew" ? (event.skew ?? 0) : undefined;
}

/**
 * When the client, inside, believes in its lease by its own clock.
 * @param {Moment} enter
 * @param {Moment[]} own
 * @param {number} to
 */
function belief(enter, own, to) {
  /** @type {Belief[]} */
  const spans = [{ from: enter.at, to, borneOut: enter.event.believes ?? true }];
  for (const { event, at } of own) {
    if (at >= to) break;
    const now = spans[spans.length - 1];
    const believes = event.believes ?? (event.kind === "expire" ? false : now.borneOut);
    if (believes === now.borneOut) continue;
    now.to = at;
    spans.push({ from: at, to, borneOut: believes });
  }
  return spans;
}

/**
 * @param {Belief[]} spans
 * @param {number} truth  the moment at which truth changes
 */
function cut(spans, truth) {
  return spans.flatMap((s) => {
    if (!s.borneOut || truth >= s.to) return [s];
    const rest = { from: Math.max(truth, s.from), to: s.to, borneOut: false };
    return truth <= s.from ? [rest] : [{ ...s, to: truth }, rest];
  });
}
