import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/** A lock on one Redis server for the length of a lease. Needs Jedis. */
final class Lock {
    // One script is one moment: nobody fits between taking the lock and drawing the number.
    private static final String ACQUIRE = """
        if redis.call("set", KEYS[1], ARGV[1], "nx", "px", ARGV[2]) then
          return redis.call("incr", KEYS[2])
        end
        if redis.call("get", KEYS[1]) == ARGV[1] then -- sent again: the first reply was lost
          return tonumber(redis.call("get", KEYS[2]))
        end
        return false""";

    private static final String RENEW = """
        if redis.call("get", KEYS[1]) == ARGV[1] then
          return redis.call("pexpire", KEYS[1], ARGV[2])
        end
        return 0""";

    // Since Redis 8.4: DELEX key IFEQ token. Since Valkey 9.0: DELIFEQ key token.
    private static final String RELEASE = """
        if redis.call("get", KEYS[1]) == ARGV[1] then
          return redis.call("del", KEYS[1])
        end
        return 0""";

    private final UnifiedJedis jedis;
    private final String key;
    private final String token = UUID.randomUUID().toString();
    private final Duration ttl;
    private long fence;
    private volatile long until; // of System.nanoTime()
    private volatile boolean over;
    private ScheduledFuture<?> keeper;

    private Lock(UnifiedJedis jedis, String key, Duration ttl) {
        this.jedis = jedis;
        this.key = key;
        this.ttl = ttl;
    }

    /**
     * Asks once. Empty: wait a random time and ask again. The lease is renewed until
     * its release, for the time of limit at most.
     */
    static Optional<Lock> acquire(UnifiedJedis jedis, String name, Duration ttl, Duration limit, ScheduledExecutorService timer) {
        Lock lock = new Lock(jedis, "{" + name + "}:lock", ttl); // braces: one slot in a cluster
        long sent = System.nanoTime(); // Redis counts from later
        Object fence;
        try {
            fence = jedis.eval(ACQUIRE, List.of(lock.key, "{" + name + "}:fence"), List.of(lock.token, lock.millis()));
        } catch (JedisException noReply) {
            // No reply does not mean that nothing happened: the key may be ours.
            lock.release();
            throw noReply;
        }
        if (fence == null) {
            return Optional.empty();
        }
        lock.fence = (Long) fence;
        lock.until = sent + ttl.toNanos();
        long third = ttl.toNanos() / 3;
        lock.keeper = timer.scheduleAtFixedRate(() -> lock.keep(sent + limit.toNanos()), third, third, TimeUnit.NANOSECONDS);
        return Optional.of(lock);
    }

    /** Show it at every read and write: the resource rejects a lower one. */
    long fence() {
        return fence;
    }

    /** Reports whether the lease is over: the work checks it. */
    boolean lost() {
        return over || System.nanoTime() - until >= 0;
    }

    private synchronized void keep(long limit) {
        long sent = System.nanoTime();
        if (over || sent - limit >= 0) {
            return; // a hung holder must not keep the lock for ever
        }
        try {
            if ((Long) jedis.eval(RENEW, List.of(key), List.of(token, millis())) == 1) {
                until = sent + ttl.toNanos();
            } else {
                over = true; // not ours any more
            }
        } catch (JedisException noReply) {
            // The next turn asks again; until says how long the lease is ours at least.
        }
    }

    /**
     * Stops the renewal, then deletes the key if it is still ours. It may be sent
     * again: no other client has our token.
     */
    synchronized void release() {
        over = true; // synchronized: no renewal is under way any more
        if (keeper != null) {
            keeper.cancel(false);
        }
        for (int attempt = 1; ; attempt++) {
            try {
                jedis.eval(RELEASE, List.of(key), List.of(token));
                return;
            } catch (JedisException noReply) {
                if (attempt == 3) {
                    throw noReply; // the key ends with its lease
                }
            }
        }
    }

    private String millis() {
        return Long.toString(ttl.toMillis());
    }
}
