/*
 * What can happen. Every action is one d_step and so one transition, and there is
 * one process that never leaves its loop: the states that pan stores are exactly
 * the worlds between two actions, and the depth of one is its number of actions.
 *
 * A lock program brings six inlines:
 *   attempt(c)  begins an attempt, up to the first command in flight
 *   execute(c)  Redis executes the command in flight; what it answers is in reply
 *   proceed(c)  the client has the reply and runs on
 *   leave(c)    the client leaves the critical section and runs on
 *   orphan(c)   of a client that has crashed remains the command in flight
 *   expire()    keys whose time has come vanish
 */

#if CLIENTS == 1
#define COUNT(of) (of(0))
#elif CLIENTS == 2
#define COUNT(of) (of(0) + of(1))
#elif CLIENTS == 3
#define COUNT(of) (of(0) + of(1) + of(2))
#else
#define COUNT(of) (of(0) + of(1) + of(2) + of(3))
#endif

#define FLIES(c) (op[c] >= SENT)

#ifdef PROPERTY
/* Mutual exclusion, judged after every action. spin -t tells a trail's actions,
 * in the words of a scenario. */
#define BELIEVES(c) (op[c] == INSIDE && now < lease[c])
#define settle() reply = 0; assert(COUNT(BELIEVES) < 2)
#define TELL(words, number) printf(words, number);
#else
#define settle() reply = 0
#define TELL(words, number)
#endif

#if CRASHES > 0
#define CRASH(c) \
	:: d_step { \
		crashes < CRASHES && ALIVE(c) && op[c] > NOTHING -> \
		TELL("> crash C%d\n", (c) + 1) \
		crashes++; \
		dead[c] = 1; \
		if \
		:: op[c] < SENT -> op[c] = NOTHING \
		:: else -> skip \
		fi; \
		orphan(c); \
		settle() \
	} \
	:: d_step { \
		dead[c] && op[c] >= SENT -> \
		TELL("> deliver C%d\n", (c) + 1) \
		execute(c); \
		op[c] = NOTHING; \
		orphan(c); \
		settle() \
	}
#else
#define CRASH(c)
#endif

#define CLIENT(c, spawnable) \
	:: d_step { \
		op[c] == UNSPAWNED && (spawnable) -> \
		TELL("> spawn C%d\n", (c) + 1) \
		attempt(c); \
		settle() \
	} \
	:: d_step { \
		ALIVE(c) && op[c] >= INSIDE -> \
		TELL("> step C%d\n", (c) + 1) \
		if \
		:: op[c] == INSIDE -> leave(c) \
		:: else -> execute(c); proceed(c) \
		fi; \
		settle() \
	} \
	CRASH(c)

#define WAKE(c) \
	if \
	:: op[c] == SLEEP -> attempt(c) \
	:: else -> skip \
	fi

active proctype explorer() {
end:	do
	CLIENT(0, true)
#if CLIENTS > 1
	CLIENT(1, op[0] != UNSPAWNED)
#endif
#if CLIENTS > 2
	CLIENT(2, op[1] != UNSPAWNED)
#endif
#if CLIENTS > 3
	CLIENT(3, op[2] != UNSPAWNED)
#endif
#if DELAYS >= 0
	:: d_step {
		now <= TICKS && (delays < DELAYS || COUNT(FLIES) == 0) ->
		if
		:: COUNT(FLIES) > 0 -> delays++
		:: else -> skip
		fi;
#else
	:: d_step {
		now <= TICKS ->
#endif
		TELL("> tick %ds\n", 1)
		now++;
		expire();
		WAKE(0);
#if CLIENTS > 1
		WAKE(1);
#endif
#if CLIENTS > 2
		WAKE(2);
#endif
#if CLIENTS > 3
		WAKE(3);
#endif
		settle()
	}
	od
}
