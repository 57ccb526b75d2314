= def acquire(c):
def acquire(c):
= sent = c.now_ms()
    sent = c.now_ms()  # before sending: Redis counts from later
= if c.set("lock.foo", c.token(),
    if c.set("lock.foo", c.token(), nx=True, px=c.timeout_ms):
= return c.lease(token=c.token(),
        return Lease(token=c.token(), until_ms=sent + c.timeout_ms)
= return None
    return None


= def release(c, lease):
def release(c, lease):
= c.delete("lock.foo")
    c.delete("lock.foo")
