/* getset.star: swap the expired value and look at what was there. */
#include "world.pml"

#define SETNX  SENT
#define GET    (SENT + 1)
#define GETSET (SENT + 2)
#define DEL    (SENT + 3)

byte value; /* of lock.foo: until when */

byte first[CLIENTS];  /* the clock, when the attempt or the release began */
byte held[CLIENTS];   /* what GET replied */
byte second[CLIENTS]; /* the clock, when GET had replied */

inline forget(c) {
	first[c] = 0;
	held[c] = 0;
	second[c] = 0
}

inline attempt(c) {
	first[c] = now;
	op[c] = SETNX
}

inline execute(c) {
	if
	:: op[c] == SETNX ->
		reply = (writer == 0);
		if
		:: reply -> value = first[c] + TIMEOUT + 1; writer = (c) + 1
		:: else -> skip
		fi
	:: op[c] == GET -> reply = value
	:: op[c] == GETSET ->
		reply = value;
		value = second[c] + TIMEOUT + 1;
		writer = (c) + 1
	:: else -> /* DEL: nobody looks at its reply */
		value = 0;
		writer = 0
	fi
}

inline fail(c) {
	forget(c);
	op[c] = SLEEP
}

inline succeed(c, read) {
	enter(c, read + TIMEOUT + 1);
	forget(c)
}

inline proceed(c) {
	if
	:: op[c] == SETNX ->
		if
		:: reply -> succeed(c, first[c])
		:: else -> op[c] = GET
		fi
	:: op[c] == GET ->
		if
		:: reply != 0 && reply < now -> held[c] = reply; second[c] = now; op[c] = GETSET
		:: else -> fail(c)
		fi
	:: op[c] == GETSET ->
		if
		:: reply < second[c] -> succeed(c, second[c]) /* 0, nil, is less as well */
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
	:: now < lease[c] -> first[c] = now; op[c] = DEL
	:: else -> finish(c)
	fi
}

/* The argument of SETNX comes from the first reading, that of GETSET from the second. */
inline orphan(c) {
	held[c] = 0;
	if
	:: op[c] == SETNX -> skip
	:: else -> first[c] = 0
	fi;
	if
	:: op[c] == GETSET -> skip
	:: else -> second[c] = 0
	fi
}

inline expire() { skip }

#include "explorer.pml"
