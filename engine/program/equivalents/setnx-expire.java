= def acquire(c):
static Lease acquire(Client c) {
= if c.setnx("lock.foo", c.token()) == 1:
    if (c.setnx("lock.foo", c.token()) == 1) {
= sent = c.now_ms()
        Instant sent = c.now(); // crash here: locked for good
= c.expire("lock.foo", c.timeout)
        c.expire("lock.foo", c.timeout);
= return c.lease(token=c.token(),
        return new Lease(c.token(), sent.plusSeconds(c.timeout));
    }
= return None
    return null;
}

= def release(c, lease):
static void release(Client c, Lease lease) {
= c.delete("lock.foo")
    c.del("lock.foo");
}
