import sys
from types import SimpleNamespace as Lease

import redis


class Client(redis.Redis):
    """A client of Redis, with what a lock program knows."""

    name, timeout, timeout_ms = "C1", 10, 10_000

    def token(self):
        return "C1-1"

    def work(self):
        pass

    def now_ms(self):
        """Asks the test for the time."""
        return round(float(self.execute_command("CLOCK")) * 1000)

    def now(self):
        return self.now_ms() // 1000

    @property
    def storage(self):
        return SimpleStorage(self)


class SimpleStorage:
    def __init__(self, client):
        self.client = client

    def write(self, fence):
        self.client.execute_command("WRITE", fence)


#PROGRAM


c = Client(unix_socket_path=sys.argv[1])
for line in sys.stdin:
    says = "done"
    try:
        if line == "acquire\n":
            held = acquire(c)
            says = "not acquired" if held is None else "acquired"
        elif line == "work\n":
            work(c, held)
        else:
            release(c, held)
    except redis.RedisError as error:
        says = str(error)
    print(says, flush=True)
