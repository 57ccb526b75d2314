= def acquire(c):
static Long acquire(Client c) {
= now = c.now()
    long now = c.now().getEpochSecond();
= expiry = now + c.timeout + 1
    long expiry = now + c.timeout + 1;
= if c.setnx("lock.foo", expiry) == 1:
    if (c.setnx("lock.foo", String.valueOf(expiry)) == 1) {
= return expiry
        return expiry;
    }
= held = c.get("lock.foo")
    String held = c.get("lock.foo");
= if held != None and int(held) < now:
    if (held != null && Long.parseLong(held) < now) {
= c.delete("lock.foo")
        c.del("lock.foo");
= if c.setnx("lock.foo", expiry) == 1:
        if (c.setnx("lock.foo", String.valueOf(expiry)) == 1) {
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
