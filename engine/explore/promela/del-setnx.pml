/* del-setnx.star: delete a lock that has expired, then take it. */
#include "world.pml"

#define SETNX       SENT
#define GET         (SENT + 1)
#define DEL_EXPIRED (SENT + 2)
#define SETNX_AGAIN (SENT + 3)
#define DEL         (SENT + 4) /* of the release */

byte value; /* of lock.foo: until when */

byte read[CLIENTS];   /* the clock, when the attempt or the release began */
byte held[CLIENTS];   /* what GET replied; 0: nil */
bit deleted[CLIENTS]; /* what DEL replied */

#define EXPIRY(c) (read[c] + TIMEOUT + 1)

inline forget(c) {
	read[c] = 0;
	held[c] = 0;
	deleted[c] = 0
}

inline attempt(c) {
	read[c] = now;
	op[c] = SETNX
}

inline execute(c) {
	if
	:: op[c] == SETNX || op[c] == SETNX_AGAIN ->
		reply = (writer == 0);
		if
		:: reply -> value = EXPIRY(c); writer = (c) + 1
		:: else -> skip
		fi
	:: op[c] == GET -> reply = value
	:: else -> /* DEL */
		reply = (writer != 0);
		value = 0;
		writer = 0
	fi
}

inline fail(c) {
	forget(c);
	op[c] = SLEEP
}

inline succeed(c) {
	enter(c, EXPIRY(c));
	forget(c)
}

inline proceed(c) {
	if
	:: op[c] == SETNX ->
		if
		:: reply -> succeed(c)
		:: else -> op[c] = GET
		fi
	:: op[c] == GET ->
		if
		:: reply != 0 && reply < read[c] -> held[c] = reply; op[c] = DEL_EXPIRED
		:: else -> fail(c)
		fi
	:: op[c] == DEL_EXPIRED ->
		deleted[c] = reply;
		op[c] = SETNX_AGAIN
	:: op[c] == SETNX_AGAIN ->
		if
		:: reply -> succeed(c)
		:: else -> fail(c)
		fi
	:: else -> finish(c)
	fi
}

inline finish(c) {
	forget(c);
	lease[c] = 0;
	op[c] = NOTHING
}

inline leave(c) {
	if
	:: now < lease[c] -> read[c] = now; op[c] = DEL
	:: else -> finish(c)
	fi
}

/* Two commands of the same words are the same command, wherever they were sent. */
inline orphan(c) {
	if
	:: op[c] == SETNX_AGAIN -> op[c] = SETNX
	:: op[c] == DEL_EXPIRED -> op[c] = DEL
	:: else -> skip
	fi;
	held[c] = 0;
	deleted[c] = 0;
	if
	:: op[c] == SETNX -> skip /* its argument comes from the clock */
	:: else -> read[c] = 0
	fi
}

inline expire() { skip }

#include "explorer.pml"
