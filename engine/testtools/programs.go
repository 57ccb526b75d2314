package testtools

// Flip defines a program whose clients get in at once, and change their minds at every second of their clocks.
const Flip = `define flip
| def acquire(c):
|     return True
| def release(c, lease):
|     pass
| def holds(c, lease):
|     return c.now() % 2 == 0
`

// Ponder defines a program whose clients get in at once, and think long before they say whether they still hold the lock.
const Ponder = `define ponder
| def acquire(c):
|     return True
| def release(c, lease):
|     pass
| def holds(c, lease):
|     x = 0
|     for i in range(16):
|         for j in range(16):
|             x = x + i
|     return x > 0
`
