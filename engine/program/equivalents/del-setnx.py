= def acquire(c):
def acquire(c):
= now = c.now()
    now = c.now()
= expiry = now + c.timeout + 1
    expiry = now + c.timeout + 1
= if c.setnx("lock.foo", expiry) == 1:
    if c.setnx("lock.foo", expiry):
= return expiry
        return expiry
= held = c.get("lock.foo")
    held = c.get("lock.foo")
= if held != None and int(held) < now:
    if held is not None and int(held) < now:
= c.delete("lock.foo")
        c.delete("lock.foo")
= if c.setnx("lock.foo", expiry) == 1:
        if c.setnx("lock.foo", expiry):
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
