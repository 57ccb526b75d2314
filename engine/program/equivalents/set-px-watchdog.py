COMPARE_AND_DELETE = """
if redis.call("get", KEYS[1]) == ARGV[1] then
  return redis.call("del", KEYS[1])
else
  return 0
end
"""


COMPARE_AND_EXPIRE = """
if redis.call("get", KEYS[1]) == ARGV[1] then
  return redis.call("pexpire", KEYS[1], ARGV[2])
else
  return 0
end
"""


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


= def work(c, lease):
def work(c, lease):
= renewed = lease.until_ms - c.timeout_ms
    renewed = lease.until_ms - c.timeout_ms
= for turn in range(16):
    for turn in range(16):
= c.work()
        c.work()  # a piece of the work
= sent = c.now_ms()
        sent = c.now_ms()
= if sent < renewed + c.timeout_ms // 3:
        if sent < renewed + c.timeout_ms // 3:
= return
            return  # done before a third went by
= if c.eval("compare-and-expire", "lock.foo",
        if c.eval(COMPARE_AND_EXPIRE, 1, "lock.foo", lease.token, c.timeout_ms) == 0:
= return
            return  # the lock is no longer ours
= c.renew(until_ms=sent + c.timeout_ms)
        lease.until_ms = sent + c.timeout_ms
= renewed = sent
        renewed = sent


= def release(c, lease):
def release(c, lease):
= c.eval("compare-and-delete", "lock.foo", lease.token)
    c.eval(COMPARE_AND_DELETE, 1, "lock.foo", lease.token)
