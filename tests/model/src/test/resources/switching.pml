/*
 * How nodes switch lock engines together. README.md of this module says what is modelled, and what is left out.
 *
 * -DNODES=n and -DEPOCHS=n set the size, -DTOKENS counts the tokens of the engines, -DLIVENESS lets failures end at some time.
 * -DMUTANT_... puts a mistake into the protocol, for which a counterexample must be found.
 */
#ifndef NODES
#define NODES 2
#endif
#ifndef EPOCHS
#define EPOCHS 4
#endif

/* Time, in ticks. LEASE is how long a lease lasts at most, by a clock that is as slow as the margin allows. */
#define LEASE 2
#ifdef MUTANT_NO_MARGIN
#define EXPIRY (LEASE - 1)
#else
#define EXPIRY LEASE
#endif
#define ENGINE_LEASE 2

#define EACH(x) x : 0 .. NODES - 1
#define NOBODY NODES

/* The document of the authority. An even epoch has engine 0, an odd one engine 1. */
byte epoch = 1;
bit switching;
bit member[NODES];
bit confirmed[NODES];

/* The request of a node to the authority, what it writes, and the state of its thread that wants the lock. */
mtype = { IDLE, SENT, WRITTEN, BEAT, START, CALL_OFF, COMPLETE, FREE, GRANTED, HELD, LOST }

typedef Node {
	bit dead;
	mtype request = IDLE;
	mtype action = BEAT;
	bit confirms;
	bit removes[NODES];
	byte pending;		/* what is left of the lease that began before the read */
	byte writtenEpoch;
	bit writtenSwitching;
	byte known;		/* the epoch, as the node believes, and whether it grants locks in it */
	bit granting;
	byte lease;
	bit seen[NODES];	/* whether it has read the present beat of a member, and how long ago it did first */
	byte age[NODES];
	mtype hold = FREE;
	byte asked;		/* the epoch in which the thread asked for the lock */
#ifdef TOKENS
	byte token;
#endif
}
Node node[NODES];

typedef Engine {
	byte owner = NOBODY;
	byte lease;
#ifdef TOKENS
	byte tokens;
#endif
}
Engine engine[2];

#ifdef TOKENS
byte lastToken;
#endif
#ifdef LIVENESS
bit calm;
#else
#define calm 0
#endif

bit possible;
byte i;
byte j;

#define ENGINE_OF(n) engine[node[n].asked & 1]
#define OWNS(n) (ENGINE_OF(n).owner == n)
#ifdef MUTANT_KEEPS_GRANTING
#define LEASED(n) (node[n].known > 0)
#else
#define LEASED(n) (node[n].lease > 0)
#endif
#define VALID(n) (node[n].hold == HELD && OWNS(n) && LEASED(n))
#ifdef MUTANT_NEVER_EXPIRES
#define EXPIRED(n, m) false
#else
#define EXPIRED(n, m) (node[n].seen[m] && node[n].age[m] >= EXPIRY)
#endif

/* Never two valid holders. */
inline alone(n) {
	for (EACH(i)) { assert(i == n || !VALID(i) || !VALID(n)) }
	i = 0
}

/* Why it is so. Mutants must violate more than this. */
#ifdef MUTANT
#define CLAIM(condition) skip
#else
#define CLAIM(condition) assert(condition)
#endif

/* What was to be written is written, or will not be. */
inline clear(n) {
	node[n].action = BEAT;
	node[n].confirms = 0;
	for (EACH(j)) { node[n].removes[j] = 0 }
	j = 0
}

inline end(n) {
	clear(n);
	node[n].request = IDLE;
	node[n].pending = 0;
	node[n].writtenEpoch = 0;
	node[n].writtenSwitching = 0
}

/* Reads the document, stops granting if there is a switch, and decides what to write. */
inline read(n) {
	d_step {
		node[n].pending = LEASE;
		possible = switching;
		for (EACH(i)) {
			if
			:: i != n && !member[i] -> node[n].seen[i] = 0; node[n].age[i] = 0
			:: i != n && member[i] -> node[n].seen[i] = 1
			:: else
			fi;
			if
			:: i != n && member[i] && EXPIRED(n, i) -> node[n].removes[i] = 1
#ifndef MUTANT_COMPLETES_UNCONFIRMED
			:: i != n && member[i] && !EXPIRED(n, i) && !confirmed[i] -> possible = 0
#endif
			:: else
			fi
		}
#ifndef MUTANT_STOPS_LATE
		if
		:: switching -> node[n].granting = 0
		:: else
		fi;
#endif
#ifdef MUTANT_CONFIRMS_HOLDING
		node[n].confirms = switching;
#else
		node[n].confirms = switching && !VALID(n);
#endif
		possible = possible && (node[n].confirms || (member[n] && confirmed[n]));
		i = 0
	}
#ifdef MUTANT_GRANTS_BEFORE_JOINING
	if
	:: !member[n] -> node[n].known = epoch; node[n].granting = !switching; node[n].lease = node[n].pending
	:: else
	fi;
#endif
	if
	:: !(calm && possible) -> node[n].action = BEAT
	:: !calm && !switching && epoch < EPOCHS -> node[n].action = START
	:: !calm && switching -> node[n].action = CALL_OFF
	:: possible -> node[n].action = COMPLETE
	fi;
	possible = 0;
	node[n].request = SENT
}

/* The id of each switch is new, so what was confirmed before does not count. */
inline unconfirm() {
	for (EACH(i)) {
#ifdef MUTANT_REPEATS_SWITCH_ID
		skip
#else
		confirmed[i] = 0
#endif
	}
}

/* The authority takes the document, and so refuses every other one that was made from the version before. */
inline write(n) {
	d_step {
		if
		:: !member[n] ->
			CLAIM(!VALID(n));
			member[n] = 1;
			confirmed[n] = switching;
#ifdef MUTANT_REPEATS_BEAT
			i = NODES
#else
			i = 0
#endif
		:: else -> confirmed[n] = confirmed[n] || node[n].confirms; i = 0
		fi;
		do
		:: i < NODES -> node[i].seen[n] = 0; node[i].age[n] = 0; i++
		:: else -> break
		od;
		for (EACH(i)) {
			if
			:: node[n].removes[i] -> member[i] = 0; confirmed[i] = 0
			:: else
			fi
		}
		if
		:: node[n].action == START -> switching = 1; unconfirm()
		:: node[n].action == CALL_OFF -> switching = 0; unconfirm()
		:: node[n].action == COMPLETE ->
			switching = 0;
			epoch++;
			for (EACH(i)) { confirmed[i] = 0 }
		:: else
		fi;
#ifndef MUTANT_WRITES_BLINDLY
		for (EACH(i)) {
			if
			:: i != n && node[i].request == SENT -> end(i)
			:: else
			fi
		}
#endif
		clear(n);
		node[n].writtenEpoch = epoch;
		node[n].writtenSwitching = switching;
		node[n].request = WRITTEN;
		i = 0
	}
}

/* The authority's reply: only now does the node know what it has written. */
inline reply(n) {
	d_step {
#ifdef MUTANT_LEASE_FROM_REPLY
		node[n].lease = LEASE;
#else
		node[n].lease = node[n].pending;
#endif
		node[n].known = node[n].writtenEpoch;
		node[n].granting = !node[n].writtenSwitching;
		end(n);
		CLAIM(!VALID(n) || node[n].asked == node[n].known);
		alone(n)
	}
}

inline rest(n) {
	node[n].hold = FREE;
	node[n].asked = 0;
#ifdef TOKENS
	node[n].token = 0
#endif
}

inline crash(n) {
	d_step {
		end(n);
		rest(n);
		node[n].dead = 1;
		node[n].known = 0;
		node[n].granting = 0;
		node[n].lease = 0;
		for (EACH(j)) { node[n].seen[j] = 0; node[n].age[j] = 0 }
		j = 0
	}
}

/* A node and the authority. A node that is cut off or pauses takes none of these steps; a write that comes late is taken late. */
proctype Member(byte n) {
	do
	:: atomic { !node[n].dead && node[n].request == IDLE -> read(n) }
	:: atomic { node[n].request == SENT -> write(n) }
	:: atomic { node[n].request == WRITTEN -> reply(n) }
	:: atomic { node[n].request != IDLE && !calm -> d_step { end(n) } }	/* the request or its reply is lost */
#ifndef TOKENS
	:: atomic { !node[n].dead && !calm -> crash(n) }
	:: atomic { node[n].dead && !member[n] -> node[n].dead = 0 }		/* another node, which has another id */
#endif
	od
}

inline release(n) {
	d_step {
		if
		:: OWNS(n) -> ENGINE_OF(n).lease = 0; ENGINE_OF(n).owner = NOBODY
		:: else
		fi;
		rest(n)
	}
}

/* The engine has granted the lock: is it admitted? */
#define ENGINE_SAYS OWNS(n)
#define NODE_SAYS (node[n].granting && node[n].known == node[n].asked && LEASED(n))
#ifdef MUTANT_ADMITS_WHILE_DRAINING
#undef NODE_SAYS
#define NODE_SAYS (node[n].known == node[n].asked && LEASED(n))
#endif
#ifdef MUTANT_ADMITS_OF_EARLIER_EPOCH
#undef NODE_SAYS
#define NODE_SAYS (node[n].granting && LEASED(n))
#endif
#ifdef MUTANT_ADMITS_WITHOUT_MEMBERSHIP
#undef NODE_SAYS
#define NODE_SAYS (node[n].granting && node[n].known == node[n].asked)
#undef VALID
#define VALID(n) (node[n].hold == HELD && OWNS(n))
#endif
#ifdef MUTANT_ADMITS_ENDED_GRANT
#undef ENGINE_SAYS
#define ENGINE_SAYS true
#endif

#ifdef MUTANT_TOKEN_WITHOUT_EPOCH
#define TOKEN(n) node[n].token
#else
#define TOKEN(n) ((node[n].asked - 1) * 16 + node[n].token)
#endif

inline admit(n) {
	d_step {
		node[n].hold = HELD;
		/* tokens grow: they are of the epoch in force, and in an epoch those of its engine grow */
#ifdef TOKENS
		assert(TOKEN(n) > lastToken);
		lastToken = TOKEN(n);
#else
		CLAIM(node[n].asked == epoch);
#endif
		/* never two valid holders */
		alone(n)
	}
}

inline grant(n) {
	d_step {
		node[n].asked = node[n].known;
		ENGINE_OF(n).owner = n;
		ENGINE_OF(n).lease = ENGINE_LEASE;
#ifdef TOKENS
		ENGINE_OF(n).tokens++;
		node[n].token = ENGINE_OF(n).tokens;
#endif
		node[n].hold = GRANTED
	}
}

#define KNOWN_ENGINE(n) engine[node[n].known & 1]
#ifdef TOKENS
#define MAY_GRANT(n) (KNOWN_ENGINE(n).owner == NOBODY && KNOWN_ENGINE(n).tokens < TOKENS)
#else
#define MAY_GRANT(n) (KNOWN_ENGINE(n).owner == NOBODY)
#endif

/* The thread of a node that wants the lock, and the engine. An engine that is away or dead takes no step; leases run on. */
proctype Holder(byte n) {
	do
	:: atomic { node[n].hold == FREE && node[n].granting && MAY_GRANT(n) -> grant(n) }
	:: atomic { node[n].hold == GRANTED && NODE_SAYS && ENGINE_SAYS -> admit(n) }
	:: atomic { node[n].hold == GRANTED && !(NODE_SAYS && ENGINE_SAYS) -> release(n) }
	:: atomic { node[n].hold == HELD && OWNS(n) && !calm -> ENGINE_OF(n).lease = ENGINE_LEASE }
	:: atomic { (node[n].hold == HELD || node[n].hold == LOST) -> release(n) }
	:: atomic { (node[n].hold == HELD || node[n].hold == LOST) && !calm -> d_step { rest(n) } }	/* the engine does not hear of it */
	od
}

#define DOWN(x) x = (x > 0 -> x - 1 : 0)

proctype Clock() {
	do
	:: d_step {
		for (EACH(i)) {
			DOWN(node[i].pending);
			DOWN(node[i].lease);
			for (EACH(j)) {
				if
				:: node[i].seen[j] && node[i].age[j] < EXPIRY -> node[i].age[j] = node[i].age[j] + 1
				:: else
				fi
			}
		}
		for (i : 0 .. 1) {
			DOWN(engine[i].lease);
			if
			:: engine[i].lease == 0 -> engine[i].owner = NOBODY
			:: else
			fi
		}
#ifndef MUTANT_REVIVES_HOLDS
		for (EACH(i)) {
			if
			:: node[i].hold == HELD && !VALID(i) -> node[i].hold = LOST
			:: else
			fi;
			/* nothing is left to give back */
			if
			:: node[i].hold == LOST && !OWNS(i) -> rest(i)
#ifndef TOKENS
			:: node[i].hold == GRANTED && !OWNS(i) -> rest(i)
#endif
			:: else
			fi
		}
#endif
		i = 0;
		j = 0
	}
	od
}

#ifdef LIVENESS
proctype Calm() {
	calm = 1
}

#define SOMEONE (!node[0].dead || !node[1].dead)

ltl switchEnds { [] ((calm && SOMEONE && switching) -> <> !switching) }
#endif

init {
	atomic {
		for (EACH(i)) {
			run Member(i);
			run Holder(i)
		}
#ifdef LIVENESS
		run Calm();
#endif
		run Clock();
		i = 0
	}
}
