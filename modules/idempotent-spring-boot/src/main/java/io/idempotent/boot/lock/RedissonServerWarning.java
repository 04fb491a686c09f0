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
 * Warns of a Redis that lacks required commands. The check runs after the first lock,
 * because the engine does not connect earlier, and again after failed attempts, until the
 * server has responded or a lock request has succeeded. It has its own thread, so that it
 * does not delay the lock.
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
			DaemonThreads.start("idempotent-lock-redis-check", () -> {
				if (!check() && !answered) {
					this.begun.set(false);
				}
			});
		}
	}

	private boolean check() {
		List<String> unmet = this.engine.get().unmetRequirements();
		unmet.forEach(logger::warn);
		return !unmet.isEmpty();
	}

}
