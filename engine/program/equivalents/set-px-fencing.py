SET_AND_FENCE = """
if redis.call("set", KEYS[1], ARGV[1], "nx", "px", ARGV[2]) then
  return redis.call("incr", KEYS[2])
else
  return false
end
"""


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
    sent = c.now_ms()
= fence = c.eval("set-and-fence", "lock.foo", "fence.foo",
    fence = c.eval(SET_AND_FENCE, 2, "lock.foo", "fence.foo", c.token(), c.timeout_ms)
= if fence == None:
    if fence is None:
= return None
        return None
= return c.lease(token=fence, until_ms=sent + c.timeout_ms)
    return Lease(token=fence, until_ms=sent + c.timeout_ms)


= def work(c, lease):
def work(c, lease):
= c.storage.write(fence=lease.token)
    c.storage.write(fence=lease.token)


= def release(c, lease):
def release(c, lease):
= c.eval("compare-and-delete", "lock.foo", c.token())
    c.eval(COMPARE_AND_DELETE, 1, "lock.foo", c.token())
