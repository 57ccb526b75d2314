COMPARE_AND_DELETE = """
if redis.call("get", KEYS[1]) == ARGV[1] then
  return redis.call("del", KEYS[1])
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


= def release(c, lease):
def release(c, lease):
= c.eval("compare-and-delete", "lock.foo", lease.token)
    c.eval(COMPARE_AND_DELETE, 1, "lock.foo", lease.token)
