package io.idempotent.boot.lock;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.redisson.RedissonLockEngine;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Warns of a Redis that lacks what locks need. The check runs once, after the first lock,
 * because the engine does not connect before; and on its own thread, so that it does not
 * delay the lock.
 */
final class RedissonServerWarning implements LockListener {

	private static final Log logger = LogFactory.getLog(RedissonServerWarning.class);

	private final Supplier<RedissonLockEngine> engine;

	private final AtomicBoolean checked = new AtomicBoolean();

	RedissonServerWarning(Supplier<RedissonLockEngine> engine) {
		this.engine = engine;
	}

	@Override
	public void onEvent(LockEvent event) {
		boolean connected = switch (event.type()) {
			case OBTAINED, NOT_OBTAINED -> event.engine().equals("redisson");
			default -> false;
		};
		if (connected && !this.checked.get() && this.checked.compareAndSet(false, true)) {
			DaemonThreads.start("idempotent-lock-redis-check", this::check);
		}
	}

	void check() {
		this.engine.get().unmetRequirements().forEach(logger::warn);
	}

}
