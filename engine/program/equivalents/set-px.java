static final String COMPARE_AND_DELETE = """
    if redis.call("get", KEYS[1]) == ARGV[1] then
      return redis.call("del", KEYS[1])
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

= def release(c, lease):
static void release(Client c, Lease lease) {
= c.eval("compare-and-delete", "lock.foo", lease.token)
    c.eval(COMPARE_AND_DELETE, List.of("lock.foo"), List.of(lease.token()));
}
