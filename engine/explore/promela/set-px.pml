/* set-px.star: one command to lock, one script to unlock. */
#include "world.pml"

#define SET  SENT /* NX PX */
#define EVAL (SENT + 1)

/* The token of lock.foo is its writer's name and the number of the attempt. */
byte token;
byte expires; /* lock.foo vanishes then */

byte attempts[CLIENTS]; /* so far: the client's token is its name and this */
byte sent[CLIENTS];     /* the clock, when SET was sent */

inline attempt(c) {
	attempts[c]++;
	sent[c] = now;
	op[c] = SET
}

inline vanish() {
	token = 0;
	expires = 0;
	writer = 0
}

inline execute(c) {
	if
	:: op[c] == SET ->
		reply = (writer == 0);
		if
		:: reply -> token = attempts[c]; expires = now + TIMEOUT; writer = (c) + 1
		:: else -> skip
		fi
	:: else ->
		if
		:: writer == (c) + 1 && token == attempts[c] -> vanish()
		:: else -> skip
		fi
	fi
}

inline proceed(c) {
	if
	:: op[c] == SET && reply -> enter(c, sent[c] + TIMEOUT)
	:: op[c] == SET && !reply -> op[c] = SLEEP
	:: else ->
		attempts[c] = 0;
		lease[c] = 0;
		op[c] = NOTHING
	fi;
	sent[c] = 0
}

inline leave(c) { op[c] = EVAL }

inline orphan(c) { sent[c] = 0 }

inline expire() {
	if
	:: writer != 0 && expires <= now -> vanish()
	:: else -> skip
	fi
}

#include "explorer.pml"
