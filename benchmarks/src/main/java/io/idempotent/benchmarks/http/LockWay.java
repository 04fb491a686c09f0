package io.idempotent.benchmarks.http;

import java.util.List;

/**
 * How an endpoint takes a lock in Redis.
 */
enum LockWay {

	STARTER("@DistributedLocked"),

	STARTER_WITHOUT_REDISSON("@DistributedLocked, engine redis"),

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

	/**
	 * Of the command line. Spring Integration would log that a Redis before 8.4 has no
	 * commands that compare.
	 */
	List<String> arguments() {
		return switch (this) {
			case STARTER -> List.of();
			case STARTER_WITHOUT_REDISSON -> List.of("--idempotent.lock.engines=redis");
			case REDISSON, SPIN, SUBSCRIBED -> List.of("--by-hand=true", "--way=" + name(),
					"--logging.level.org.springframework.integration=error", Protection.withoutStarter());
		};
	}

}
