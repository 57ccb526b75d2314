/**
 * Critical sections, and under each its belief strip. A section is where the
 * client is; the strip is solid while the client believes in its lease and the
 * key bears it out, and an outline where belief has ended or truth has changed.
 *
 * @typedef {import("../trace/state.js").Event} Event
 * @typedef {import("../trace/state.js").Sentence} Sentence
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
 * @property {number} skew  own clock minus true time where it enters, ms
 * @property {{seq: number, from: number, to: number}[]} hatched  by seq of the violation: where a violation makes it one holder of several
 */

/**
 * @param {Moment[]} moments
 * @param {Band[]} bands  those whose writer's lease ends are marked expired
 * @param {number} nodes  how many Redis nodes the run has
 * @param {number} end
 * @returns {Section[]}
 */
export function sections(moments, bands, nodes, end) {
  const kept = chronicle(bands);
  const clock = clocks(moments);
  /** @type {Map<string, Moment[]>} */
  const lanes = new Map();
  for (const moment of moments) {
    const lane = moment.event.lane ?? "";
    const own = lanes.get(lane);
    if (own) own.push(moment);
    else lanes.set(lane, [moment]);
  }
  /** @type {Section[]} */
  const all = [];
  for (const own of lanes.values()) {
    own.forEach((moment, i) => {
      if (moment.event.kind === "enter") all.push(section(moment, stay(own, i), kept, clock, nodes, end));
    });
  }
  return all.sort((a, b) => a.seq - b.seq);
}

/** Sections by their client, each list in order.
 * @param {Section[]} all
 */
export function byClient(all) {
  /** @type {Map<string, Section[]>} */
  const own = new Map();
  for (const s of all) {
    const others = own.get(s.client);
    if (others) others.push(s);
    else own.set(s.client, [s]);
  }
  return own;
}

/** The index of the first that ends after a moment; they follow one another.
 * @param {{to: number}[]} spans
 * @param {number} at
 */
export function firstAfter(spans, at) {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].to > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

const ENDINGS = new Set(["leave", "crash", "error"]);

/**
 * What happens on a client's lane from where it enters: while it is inside, how that
 * ends, and its next life if it crashes.
 * @param {Moment[]} own
 * @param {number} enter  index
 */
function stay(own, enter) {
  /** @type {Moment[]} */
  const inside = [];
  for (let i = enter + 1; i < own.length; i++) {
    if (!ENDINGS.has(own[i].event.kind)) {
      inside.push(own[i]);
      continue;
    }
    let next = i + 1;
    while (own[i].event.kind === "crash" && next < own.length && own[next].event.kind !== "restart") next++;
    return { inside, last: own[i], next: own[next] };
  }
  return { inside, last: undefined, next: undefined };
}

/**
 * @param {Moment} enter
 * @param {ReturnType<typeof stay>} stay
 * @param {Map<string, Band[]>} bands
 * @param {ReturnType<typeof clocks>} clock
 * @param {number} nodes
 * @param {number} end
 * @returns {Section}
 */
function section(enter, { inside, last, next }, bands, clock, nodes, end) {
  const { event, at: from } = enter;
  const client = event.lane ?? "";
  const to = last?.at ?? end;
  const ending = /** @type {Section["ending"]} */ (last?.event.kind ?? "open");

  const chains = lockChains(enter, bands);
  const leaseEnds = leaseEnd(enter, inside, last, clock);
  for (const band of chains.flat()) {
    // A key with a TTL is there until Redis drops it: only a time that is a value expires in silence.
    if (!band.expires && leaseEnds < band.to) band.expired = Math.max(band.from, leaseEnds);
  }

  const truth = truthEnds(chains, nodes, from);
  const strip = cut(belief(enter, inside, to), truth);
  if (ending === "crash" && leaseEnds > to && event.lease?.until) {
    // The lease outlives the client: that is what keeps the others out.
    strip.push({ from: to, to: Math.min(leaseEnds, next?.at ?? end, end), borneOut: false });
  }
  const { seq, sentence } = event;
  return { seq, sentence, client, from, to, ending, strip, skew: clock.skewAt(client, event.seq), hatched: [] };
}

/**
 * The bands of each key of each node, in order.
 * @param {Band[]} bands
 */
function chronicle(bands) {
  /** @type {Map<string, Band[]>} */
  const keys = new Map();
  for (const band of bands) {
    const id = `${band.node} ${band.key}`;
    const others = keys.get(id);
    if (others) others.push(band);
    else keys.set(id, [band]);
  }
  return keys;
}

/**
 * The bands that make up the client's lock: what it wrote that carries its
 * owner token or its expiry, or, when nothing does, all that it wrote. Each with
 * those that follow it without a gap by the same writer, which may renew its lock, or
 * with the same value: a loser that writes the winner's number over it changes nothing.
 * @param {Moment} enter
 * @param {Map<string, Band[]>} bands
 */
function lockChains({ event, at }, bands) {
  const { token, until } = event.lease ?? {};
  /** @type {{of: Band[], first: number}[]} */
  const own = [];
  for (const of of bands.values()) {
    const first = firstAfter(of, at);
    if (first < of.length && of[first].from <= at && of[first].writer === event.lane && !of[first].counted) own.push({ of, first });
  }
  const marked = own.filter(({ of, first: i }) => of[i].value === token || (until && of[i].value === String(until / 1000)));
  return (marked.length ? marked : own).map(({ of, first }) => {
    let last = first;
    const follows = (/** @type {Band} */ next) => next?.from === of[last].to && (next.writer === of[last].writer || next.value === of[last].value);
    while (follows(of[last + 1])) last++;
    return of.slice(first, last + 1);
  });
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
 * @param {Moment[]} inside
 * @param {Moment | undefined} last  with which it is inside no more
 * @param {ReturnType<typeof clocks>} clock
 */
function leaseEnd(enter, inside, last, clock) {
  // A renewed lease ends as it was renewed last.
  const { event, at } = inside.findLast((m) => m.event.kind === "renew") ?? enter;
  if (event.believes === false) return at;
  const expired = inside.find((m) => m.event.kind === "expire" && m.event.seq > event.seq);
  if (expired) return expired.at;
  const until = event.lease?.until;
  return last && until ? clock.reaches(event.lane ?? "", until, last.event.seq) : Infinity;
}

/**
 * Returns the times on the clients' own clocks.
 * @param {Moment[]} moments  from the first
 */
function clocks(moments) {
  /** @type {Map<string, {seq: number, skew: number}[]>} */
  const skews = new Map();
  for (const { event } of moments) {
    const skew = event.kind === "spawn" ? event.spawned?.skew : event.kind === "skew" ? (event.skew ?? 0) : undefined;
    if (skew === undefined) continue;
    const lane = event.lane ?? "";
    const earlier = skews.get(lane) ?? [];
    earlier.push({ seq: event.seq, skew });
    skews.set(lane, earlier);
  }
  /** Index of the first event from one on by which true time has come to a time.
   * @param {number} time
   * @param {number} low
   */
  const firstAt = (time, low) => {
    let high = moments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (moments[middle].event.time >= time) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return {
    /** @param {string} client @param {number} seq */
    skewAt: (client, seq) => skews.get(client)?.findLast((s) => s.seq <= seq)?.skew ?? 0,

    /**
     * The moment at which a client's clock shows a time; Infinity: it has not come.
     * @param {string} client
     * @param {number} time
     * @param {number} from  the event with which one begins to look
     */
    reaches(client, time, from) {
      const changes = (skews.get(client) ?? []).filter((s) => s.seq > from);
      let skew = this.skewAt(client, from);
      let start = from - 1;
      for (const next of [...changes, { seq: moments.length + 1, skew: 0 }]) {
        const found = firstAt(time - skew, start);
        if (found < next.seq - 1) return moments[found].at;
        [skew, start] = [next.skew, next.seq - 1];
      }
      return Infinity;
    },
  };
}

/**
 * When the client, inside, believes in its lease by its own clock.
 * @param {Moment} enter
 * @param {Moment[]} inside
 * @param {number} to
 */
function belief(enter, inside, to) {
  /** @type {Belief[]} */
  const spans = [{ from: enter.at, to, borneOut: enter.event.believes ?? true }];
  for (const { event, at } of inside) {
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
