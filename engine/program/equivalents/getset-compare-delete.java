static final String COMPARE_AND_DELETE = """
    if redis.call("get", KEYS[1]) == ARGV[1] then
      return redis.call("del", KEYS[1])
    else
      return 0
    end""";

= def acquire(c):
static Long acquire(Client c) {
= expiry = c.now() + c.timeout + 1
    long expiry = c.now().getEpochSecond() + c.timeout + 1;
= if c.setnx("lock.foo", expiry) == 1:
    if (c.setnx("lock.foo", String.valueOf(expiry)) == 1) {
= return expiry
        return expiry;
    }
= held = c.get("lock.foo")
    String held = c.get("lock.foo");
= if held == None:
    if (held == null) {
= return None
        return null; // released since: start again
    }
= now = c.now()
    long now = c.now().getEpochSecond();
= if int(held) < now:
    if (Long.parseLong(held) < now) {
= expiry = now + c.timeout + 1
        expiry = now + c.timeout + 1;
= old = c.getset("lock.foo", expiry)
        String old = c.getSet("lock.foo", String.valueOf(expiry));
= if old == None or int(old) < now:
        if (old == null || Long.parseLong(old) < now) {
= return expiry
            return expiry;
        }
    }
= return None
    return null;
}

= def release(c, lease):
static void release(Client c, Long lease) {
= c.eval("compare-and-delete", "lock.foo", lease)
    c.eval(COMPARE_AND_DELETE, List.of("lock.foo"), List.of(String.valueOf(lease)));
}
