package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.Set;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * The health of the engines as this node sees it, from which the nodes decide together
 * whether to switch. Methods other than {@code acquire} return at once.
 */
public interface EngineHealth {

	/** Knows nothing, so that this node never proposes a switch. */
	EngineHealth UNKNOWN = new EngineHealth() {
	};

	/** Acquires a lock of an engine, and notes how that responds. */
	default @Nullable LockGrant acquire(LockEngine engine, LockRequest request, Duration wait)
			throws InterruptedException {
		return engine.acquire(request, wait);
	}

	/** The names of the engines that fail. */
	default Set<String> failing() {
		return Set.of();
	}

	/** The engines that have worked for a while, so that they may be switched back to. */
	default Set<String> recovered() {
		return Set.of();
	}

}
