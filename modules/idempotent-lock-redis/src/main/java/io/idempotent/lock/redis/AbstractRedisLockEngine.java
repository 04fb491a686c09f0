package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.LockState;
import io.idempotent.lock.engine.SharedEntry;
import org.jspecify.annotations.Nullable;

/** Locks in Redis, whatever client sends their scripts. */
abstract class AbstractRedisLockEngine implements LockEngine {

	private final String name;

	private final Supplier<LockTransport> supplier;

	private final String node;

	private final RedisLockInspector inspector = new RedisLockInspector(this::client);

	private final AtomicReference<@Nullable LockClient> client = new AtomicReference<>();

	AbstractRedisLockEngine(String name, Supplier<LockTransport> transport, String node) {
		this.name = name;
		this.supplier = transport;
		this.node = node;
	}

	@Override
	public final String name() {
		return this.name;
	}

	/**
	 * The entry is a key. Redis may forget it, and a failover may lose the last write:
	 * prefer a database or ZooKeeper as the authority.
	 */
	@Override
	public final SharedEntry sharedEntry(String name) {
		return new RedisSharedEntry(this::client, name);
	}

	@Override
	public final boolean supports(LockMode mode) {
		return true;
	}

	/** A master of a Cluster that hangs must not delay renewals on the others. */
	@Override
	public final int renewalsAtOnce() {
		return 64;
	}

	@Override
	public final LockState inspect(String name) {
		return this.inspector.inspect(name);
	}

	@Override
	public final boolean forceRelease(String name) {
		return this.inspector.forceRelease(name);
	}

	@Override
	public final @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		long end = System.nanoTime() + wait.toNanos();
		try (InterruptibleWait waiting = InterruptibleWait.of(request)) {
			while (true) {
				try {
					LockOwner owner = LockOwner.of(client(), request);
					return new LockContender(owner, request, waiting, !wait.isZero(), end).acquire();
				}
				catch (LockUnavailableException ex) {
					waiting.failed(ex);
					// The next attempt uses another owner, since the release of this one
					// may be in progress.
				}
			}
		}
	}

	@Override
	public final void close() {
		LockClient current = this.client.get();
		if (current != null) {
			current.close();
		}
	}

	/** The same for all callers. Not synchronized, since the supplier may block. */
	private LockClient client() {
		LockClient current = this.client.get();
		if (current != null) {
			return current;
		}
		LockTransport transport;
		try {
			transport = this.supplier.get();
		}
		catch (RuntimeException ex) {
			throw LockClient.unavailable(this.name, "create its client", ex);
		}
		LockClient created = new LockClient(this.name, transport, this.node);
		LockClient earlier = this.client.compareAndExchange(null, created);
		return (earlier != null) ? earlier : created;
	}

}
