static final String SET_AND_FENCE = """
    if redis.call("set", KEYS[1], ARGV[1], "nx", "px", ARGV[2]) then
      return redis.call("incr", KEYS[2])
    else
      return false
    end""";

static final String COMPARE_AND_DELETE = """
    if redis.call("get", KEYS[1]) == ARGV[1] then
      return redis.call("del", KEYS[1])
    else
      return 0
    end""";

= def acquire(c):
static Lease acquire(Client c) {
= sent = c.now_ms()
    Instant sent = c.now();
= fence = c.eval("set-and-fence", "lock.foo", "fence.foo",
    Object fence = c.eval(SET_AND_FENCE, List.of("lock.foo", "fence.foo"), List.of(c.token(), String.valueOf(c.timeoutMs)));
= if fence == None:
    if (fence == null) {
= return None
        return null;
    }
= return c.lease(token=fence, until_ms=sent + c.timeout_ms)
    return new Lease(fence.toString(), sent.plusMillis(c.timeoutMs));
}

= def work(c, lease):
static void work(Client c, Lease lease) {
= c.storage.write(fence=lease.token)
    c.storage.write(Long.parseLong(lease.token()));
}

= def release(c, lease):
static void release(Client c, Lease lease) {
= c.eval("compare-and-delete", "lock.foo", c.token())
    c.eval(COMPARE_AND_DELETE, List.of("lock.foo"), List.of(c.token()));
}
