package io.idempotent.benchmarks.http;

import java.util.List;

/**
 * How an endpoint takes a lock in Redis.
 */
enum LockWay {

	STARTER("@DistributedLocked"),

	REDISSON("Redisson RLock by hand"),

	SPIN("Spring Integration by hand, spin"),

	SUBSCRIBED("Spring Integration by hand, pub-sub");

	private final String label;

	LockWay(String label) {
		this.label = label;
	}

	String label() {
		return this.label;
	}

	/** Of the command line. */
	List<String> arguments() {
		return (this == STARTER) ? List.of()
				: List.of("--by-hand=true", "--way=" + name(), Protection.withoutStarter());
	}

}
