= def acquire(c):
def acquire(c):
= if c.setnx("lock.foo", c.name) == 1:
    if c.setnx("lock.foo", c.name):
= return True
        return True
= return None
    return None  # taken: wait, then try again


= def release(c, lease):
def release(c, lease):
= c.delete("lock.foo")
    c.delete("lock.foo")
