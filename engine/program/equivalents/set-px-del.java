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
= c.delete("lock.foo")
    c.del("lock.foo");
}
