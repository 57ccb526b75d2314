static final String COMPARE_AND_DELETE = """
    if redis.call("get", KEYS[1]) == ARGV[1] then
      return redis.call("del", KEYS[1])
    else
      return 0
    end""";

static final String COMPARE_AND_EXPIRE = """
    if redis.call("get", KEYS[1]) == ARGV[1] then
      return redis.call("pexpire", KEYS[1], ARGV[2])
    else
      return 0
    end""";

= def acquire(c):
static Lease acquire(Client c) {
= sent = c.now_ms()
    Instant sent = c.now(); // before sending: Redis counts from later
= if c.set("lock.foo", c.token(),
    if (c.set("lock.foo", c.token(), SetParams.setParams().nx().px(c.timeoutMs)) != null) {
= return c.lease(token=c.token(),
        return new Lease(c.token(), sent.plusMillis(c.timeoutMs));
    }
= return None
    return null;
}

= def work(c, lease):
static void work(Client c, Lease lease) {
= renewed = lease.until_ms - c.timeout_ms
    Instant renewed = lease.until().minusMillis(c.timeoutMs);
= for turn in range(16):
    for (int turn = 0; turn < 16; turn++) {
= c.work()
        c.work(); // a piece of the work
= sent = c.now_ms()
        Instant sent = c.now();
= if sent < renewed + c.timeout_ms // 3:
        if (sent.isBefore(renewed.plusMillis(c.timeoutMs / 3))) {
= return
            return; // done before a third went by
        }
= if c.eval("compare-and-expire", "lock.foo",
        Object n = c.eval(COMPARE_AND_EXPIRE, List.of("lock.foo"), List.of(lease.token(), String.valueOf(c.timeoutMs)));
        if (n.equals(0L)) {
= return
            return; // the lock is no longer ours
        }
= c.renew(until_ms=sent + c.timeout_ms)
        lease.renew(sent.plusMillis(c.timeoutMs));
= renewed = sent
        renewed = sent;
    }
}

= def release(c, lease):
static void release(Client c, Lease lease) {
= c.eval("compare-and-delete", "lock.foo", lease.token)
    c.eval(COMPARE_AND_DELETE, List.of("lock.foo"), List.of(lease.token()));
}
