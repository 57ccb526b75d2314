= def acquire(c):
static Boolean acquire(Client c) {
= if c.setnx("lock.foo", c.name) == 1:
    if (c.setnx("lock.foo", c.name) == 1) {
= return True
        return true;
    }
= return None
    return null; // taken: wait, then try again
}

= def release(c, lease):
static void release(Client c, Boolean lease) {
= c.delete("lock.foo")
    c.del("lock.foo");
}
