// A lock on one Redis server for the length of a lease. Needs node-redis.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

// One script is one moment: nobody fits between taking the lock and drawing the number.
const ACQUIRE = `
if redis.call("set", KEYS[1], ARGV[1], "nx", "px", ARGV[2]) then
  return redis.call("incr", KEYS[2])
end
if redis.call("get", KEYS[1]) == ARGV[1] then -- sent again: the first reply was lost
  return tonumber(redis.call("get", KEYS[2]))
end
return false`;

const RENEW = `
if redis.call("get", KEYS[1]) == ARGV[1] then
  return redis.call("pexpire", KEYS[1], ARGV[2])
end
return 0`;

// Since Redis 8.4: DELEX key IFEQ token. Since Valkey 9.0: DELIFEQ key token.
const RELEASE = `
if redis.call("get", KEYS[1]) == ARGV[1] then
  return redis.call("del", KEYS[1])
end
return 0`;

/**
 * Asks once. Returns a lease, or null: wait a random time and ask again.
 * The lease is renewed until its release, for `limit` milliseconds at most.
 */
export async function acquire(redis, name, ttl, limit) {
  // Braces: one slot in a cluster.
  const lease = new Lease(redis, `{${name}}:lock`, ttl);
  const sent = performance.now(); // Redis counts from later
  try {
    lease.fence = await inTime(redis.eval(ACQUIRE, { keys: [lease.key, `{${name}}:fence`], arguments: [lease.token, String(ttl)] }), ttl);
  } catch (error) {
    // No reply does not mean that nothing happened: the key may be ours.
    await lease.release();
    throw error;
  }
  if (lease.fence === null) return null;
  lease.until = sent + ttl;
  lease.keeper = lease.keep(sent + limit);
  return lease;
}

/** A lock that ends by itself. */
class Lease {
  /** Show it at every read and write: the resource rejects a lower one. */
  fence = null;
  token = randomUUID();
  end = new AbortController();
  until = 0; // of performance.now()
  over = false;

  constructor(redis, key, ttl) {
    Object.assign(this, { redis, key, ttl });
  }

  /** Reports whether the lease is over: the work checks it. It looks at the clock, as no timer fires while the work keeps the thread. */
  lost() {
    return this.over || performance.now() >= this.until;
  }

  /** Renews the lease whenever a third of it has passed. */
  async keep(limit) {
    const { signal } = this.end;
    while (!signal.aborted) {
      const wait = Math.max(0, Math.min(this.ttl / 3, this.until - performance.now()));
      await pause(wait, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const sent = performance.now();
      if (sent >= limit) break; // a hung holder must not keep the lock for ever
      try {
        const renewed = await inTime(this.redis.eval(RENEW, { keys: [this.key], arguments: [this.token, String(this.ttl)] }), this.until - sent);
        if (renewed !== 1) break; // not ours any more
        this.until = sent + this.ttl;
      } catch {
        if (performance.now() >= this.until) break; // nobody knows
      }
    }
    this.over = !signal.aborted;
  }

  /**
   * Stops the renewal, then deletes the key if it is still ours. It may be sent
   * again: no other client has our token.
   */
  async release() {
    this.end.abort();
    await this.keeper; // no renewal is under way any more
    for (let attempt = 1; ; attempt++) {
      try {
        return void (await inTime(this.redis.eval(RELEASE, { keys: [this.key], arguments: [this.token] }), 1000));
      } catch (error) {
        if (attempt === 3) throw error; // the key ends with its lease
        await pause(100 * attempt);
      }
    }
  }
}

/** Waits for a reply no longer than it is of use. */
async function inTime(reply, ms) {
  const timer = new AbortController();
  const late = pause(Math.max(0, ms), undefined, { signal: timer.signal }).then(() => {
    throw new Error("no reply in time");
  });
  late.catch(() => {});
  try {
    return await Promise.race([reply, late]);
  } finally {
    timer.abort();
  }
}
