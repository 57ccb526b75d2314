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

= def holds(c, lease):
static boolean holds(Client c, long lease) {
= return c.now() < lease
    return c.now().getEpochSecond() < lease;
}

= def release(c, lease):
static void release(Client c, Long lease) {
= if holds(c, lease):
    if (holds(c, lease)) {
= c.delete("lock.foo")
        c.del("lock.foo");
    }
}
