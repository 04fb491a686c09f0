package io.idempotent.lock.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.idempotent.lock.engine.InterruptibleWait;

/**
 * A listener for the releases of a lock. A release may be missed, as while the connection
 * is lost, see {@link #isActive()}.
 */
final class ReleaseSubscription implements AutoCloseable {

	private final LockClient client;

	private final String channel;

	private final Semaphore releases = new Semaphore(0);

	private final CompletableFuture<Runnable> removal;

	private volatile boolean active = true;

	ReleaseSubscription(LockClient client, String channel) {
		this.client = client;
		this.channel = channel;
		this.removal = client.transport().listen(channel, this);
	}

	/** Waits for the given time; fails if the server refuses, or does not answer. */
	boolean begin(long nanos, InterruptibleWait waiting) throws InterruptedException {
		try {
			waiting.get(this.removal, nanos);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			throw this.client.unavailable("subscribe to " + this.channel, ex);
		}
	}

	void await(long nanos, InterruptibleWait waiting) throws InterruptedException {
		waiting.await(nanos, (left) -> this.releases.tryAcquire(left, TimeUnit.NANOSECONDS));
	}

	/** Whether releases are received as far as this client knows. */
	boolean isActive() {
		return this.active;
	}

	void released() {
		this.releases.release();
	}

	/** Ends the wait for a release, since one may have been missed. */
	void active(boolean active) {
		this.active = active;
		this.releases.release();
	}

	/** Removes the listener as soon as it is established, without waiting for it. */
	@Override
	public void close() {
		CompletableFuture<?> unused = this.removal.thenAccept(Runnable::run);
	}

}
