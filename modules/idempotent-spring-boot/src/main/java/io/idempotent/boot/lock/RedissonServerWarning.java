package io.idempotent.boot.lock;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.redisson.RedissonLockEngine;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Warns of a Redis that lacks required commands, on a thread of its own, so that no lock
 * waits. The check runs after the first lock, because the engine does not connect
 * earlier, and again after failures, until the server or a lock request has succeeded.
 */
final class RedissonServerWarning implements LockListener {

	private static final Log logger = LogFactory.getLog(RedissonServerWarning.class);

	private final Supplier<RedissonLockEngine> engine;

	private final AtomicBoolean begun = new AtomicBoolean();

	RedissonServerWarning(Supplier<RedissonLockEngine> engine) {
		this.engine = engine;
	}

	@Override
	public void onEvent(LockEvent event) {
		if (this.begun.get() || !event.engine().equals("redisson")) {
			return;
		}
		switch (event.type()) {
			case OBTAINED, NOT_OBTAINED -> begin(true);
			case UNAVAILABLE -> begin(false);
			default -> {
			}
		}
	}

	private void begin(boolean answered) {
		if (this.begun.compareAndSet(false, true)) {
			// Not on the other thread: after the context is closed, it would get a new
			// engine with a client that nobody closes.
			RedissonLockEngine present = this.engine.get();
			DaemonThreads.start("idempotent-lock-redis-check", () -> {
				if (!check(present) && !answered) {
					this.begun.set(false);
				}
			});
		}
	}

	private static boolean check(RedissonLockEngine engine) {
		List<String> unmet = engine.unmetRequirements();
		unmet.forEach(logger::warn);
		return !unmet.isEmpty();
	}

}
