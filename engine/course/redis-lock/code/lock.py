"""A lock on one Redis server for the length of a lease. Needs redis-py."""

import threading
import time
import uuid

import redis

# One script is one moment: nobody fits between taking the lock and drawing the number.
ACQUIRE = """
if redis.call("set", KEYS[1], ARGV[1], "nx", "px", ARGV[2]) then
  return redis.call("incr", KEYS[2])
end
if redis.call("get", KEYS[1]) == ARGV[1] then -- sent again: the first reply was lost
  return tonumber(redis.call("get", KEYS[2]))
end
return false
"""

RENEW = """
if redis.call("get", KEYS[1]) == ARGV[1] then
  return redis.call("pexpire", KEYS[1], ARGV[2])
end
return 0
"""

# Since Redis 8.4: DELEX key IFEQ token. Since Valkey 9.0: DELIFEQ key token.
RELEASE = """
if redis.call("get", KEYS[1]) == ARGV[1] then
  return redis.call("del", KEYS[1])
end
return 0
"""

# A clock that nobody sets. CLOCK_BOOTTIME goes on while the machine sleeps, as the clock of Redis does.
CLOCK = getattr(time, "CLOCK_BOOTTIME", None)


def now():
    return time.monotonic() if CLOCK is None else time.clock_gettime(CLOCK)


class Lease:
    """A lock that ends by itself.

    Show fence at every read and write: the resource rejects a lower one.
    """

    def __init__(self, r, name, ttl):
        self.fence = None
        self._r, self._ttl = r, ttl
        self._until = 0.0  # of now
        self._over = False
        # Braces: one slot in a cluster.
        self._key, self._counter = "{" + name + "}:lock", "{" + name + "}:fence"
        self._token = uuid.uuid4().hex
        self._end = threading.Event()
        self._keeper = None

    def lost(self):
        """Reports whether the lease is over: the work checks it."""
        return self._over or now() >= self._until

    def release(self):
        """Stops the renewal, then deletes the key if it is still ours.

        It may be sent again: no other client has our token.
        """
        self._end.set()
        if self._keeper:
            self._keeper.join()  # no renewal is under way any more
        for attempt in range(3):
            time.sleep(attempt * 0.1)
            try:
                self._r.eval(RELEASE, 1, self._key, self._token)
                return
            except redis.RedisError as error:
                failed = error
        raise failed  # the key ends with its lease

    def _keep(self, limit):
        """Renews the lease whenever a third of it has passed."""
        while not self._end.wait(max(0, min(self._ttl / 3, self._until - now()))):
            sent = now()
            if sent >= limit:
                break  # a hung holder must not keep the lock for ever
            try:
                renewed = self._r.eval(RENEW, 1, self._key, self._token, int(self._ttl * 1000))
                if renewed == 1:
                    self._until = sent + self._ttl
                    continue
                break  # not ours any more
            except redis.RedisError:
                if now() >= self._until:
                    break  # nobody knows
        self._over = True


def acquire(r, name, ttl, limit):
    """Asks once. Returns a lease, or None: wait a random time and ask again.

    The lease is renewed until its release, for limit seconds at most. Give r a
    socket_timeout well below ttl / 3, and retry=Retry(NoBackoff(), 0): by itself
    redis-py sends a command again, and a renewal would come too late.
    """
    lease = Lease(r, name, ttl)
    sent = now()  # Redis counts from later
    try:
        lease.fence = r.eval(ACQUIRE, 2, lease._key, lease._counter, lease._token, int(ttl * 1000))
    except redis.RedisError:
        # No reply does not mean that nothing happened: the key may be ours.
        lease.release()
        raise
    if lease.fence is None:
        return None
    lease._until = sent + ttl
    lease._keeper = threading.Thread(target=lease._keep, args=(sent + limit,), daemon=True)
    lease._keeper.start()
    return lease
