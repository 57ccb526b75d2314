= def acquire(c):
def acquire(c):
= if c.setnx("lock.foo", c.token()) == 1:
    if c.setnx("lock.foo", c.token()):
= sent = c.now_ms()
        sent = c.now_ms()  # crash here: locked for good
= c.expire("lock.foo", c.timeout)
        c.expire("lock.foo", c.timeout)
= return c.lease(token=c.token(),
        return Lease(token=c.token(), until_ms=sent + 1000 * c.timeout)
= return None
    return None


= def release(c, lease):
def release(c, lease):
= c.delete("lock.foo")
    c.delete("lock.foo")
