"""Does what its standard input says with the lock of the page."""

import os
import random
import sys
import time

import redis

import lock

r = redis.Redis(unix_socket_path=sys.argv[1], socket_timeout=10)
ttl = int(sys.argv[2]) / 1000


def inside(directory):
    """Adds one to a counter, which nobody else may touch meanwhile."""
    mark, counter = os.path.join(directory, "inside"), os.path.join(directory, "counter")
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        print("two are inside", flush=True)
        sys.exit(1)
    n = int(open(counter).read()) if os.path.exists(counter) else 0
    time.sleep(0.001)
    with open(counter, "w") as f:
        f.write(str(n + 1))
    os.remove(mark)


def take():
    return lock.acquire(r, "foo", ttl, 3600)


for line in sys.stdin:
    words = line.split()
    if words[0] == "acquire":
        lease = take()
        print(f"acquired {lease.fence}" if lease else "taken", flush=True)
    elif words[0] == "lost":
        print(str(lease.lost()).lower(), flush=True)
    elif words[0] == "release":
        lease.release()
        print("released", flush=True)
    elif words[0] == "work":
        for _ in range(int(words[1])):
            while not (lease := take()):
                time.sleep(random.random() * 0.005)
            inside(words[2])
            lease.release()
        print("worked", flush=True)
