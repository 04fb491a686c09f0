package io.idempotent.boot.internal.store;

import io.idempotent.redis.RedisIdempotencyStore;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Warns of a Redis that may evict records, or that lacks what the store needs. The check
 * runs on its own thread, so that it does not delay the start. A Redis that did not
 * answer at the start is not checked: the thread could wait for a reply longer than the
 * application lives.
 */
public final class RedisServerWarning implements ApplicationListener<ApplicationReadyEvent> {

	private static final Log logger = LogFactory.getLog(RedisServerWarning.class);

	private final RedisIdempotencyStore store;

	private final StoreConnection connection;

	public RedisServerWarning(RedisIdempotencyStore store, StoreConnection connection) {
		this.store = store;
		this.connection = connection;
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		if (this.connection.answered()) {
			DaemonThreads.start("idempotent-redis-check", this::check);
		}
	}

	void check() {
		this.store.unmetRequirements().forEach(logger::warn);
		this.store.evictingPolicy()
			.ifPresent((policy) -> logger.warn("Redis has maxmemory-policy '" + policy
					+ "' and may evict the records of idempotent operations when its memory is full, so that an "
					+ "operation could run again within its retention: use a Redis with 'noeviction' for them"));
	}

}
