= def acquire(c):
def acquire(c):
= expiry = c.now() + c.timeout + 1
    expiry = c.now() + c.timeout + 1
= if c.setnx("lock.foo", expiry) == 1:
    if c.setnx("lock.foo", expiry):
= return expiry
        return expiry
= held = c.get("lock.foo")
    held = c.get("lock.foo")
= if held == None:
    if held is None:
= return None
        return None  # released since: start again
= now = c.now()
    now = c.now()
= if int(held) < now:
    if int(held) < now:
= expiry = now + c.timeout + 1
        expiry = now + c.timeout + 1
= old = c.getset("lock.foo", expiry)
        old = c.getset("lock.foo", expiry)
= if old == None or int(old) < now:
        if old is None or int(old) < now:
= return expiry
            return expiry
= return None
    return None


= def holds(c, lease):
def holds(c, lease):
= return c.now() < lease
    return c.now() < lease


= def release(c, lease):
def release(c, lease):
= if holds(c, lease):
    if holds(c, lease):
= c.delete("lock.foo")
        c.delete("lock.foo")
