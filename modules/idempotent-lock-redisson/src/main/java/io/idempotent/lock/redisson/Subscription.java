package io.idempotent.lock.redisson;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import org.redisson.RedissonLockEntry;
import org.redisson.pubsub.LockPubSub;

/**
 * A share in Redisson's subscription to the releases of a lock.
 */
final class Subscription implements AutoCloseable {

	private final LockPubSub releases;

	private final String entryName;

	private final String channel;

	private final CompletableFuture<RedissonLockEntry> entry;

	Subscription(LockPubSub releases, String entryName, String channel) {
		this.releases = releases;
		this.entryName = entryName;
		this.channel = channel;
		this.entry = releases.subscribe(entryName, channel);
		releases.timeout(this.entry);
	}

	/**
	 * Waits until releases are heard. Redisson's {@code subscriptionTimeout} is the end
	 * of it; what is not waited for is not cancelled, since others may share it.
	 * @param nanos how long
	 * @param waiting how the thread waits
	 * @return whether releases are heard
	 * @throws InterruptedException if an interrupt ends the wait
	 * @throws LockUnavailableException if there is no subscription to be had
	 */
	boolean begin(long nanos, InterruptibleWait waiting) throws InterruptedException {
		try {
			waiting.get(this.entry, nanos);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			throw RedisFutures.unavailable("subscribe to " + this.channel, ex);
		}
	}

	/**
	 * Waits for a release.
	 * @param nanos how long
	 * @param waiting how the thread waits
	 * @return whether there was one
	 * @throws InterruptedException if an interrupt ends the wait
	 */
	boolean await(long nanos, InterruptibleWait waiting) throws InterruptedException {
		Semaphore latch = this.entry.join().getLatch();
		return waiting.await(nanos, (left) -> latch.tryAcquire(left, TimeUnit.NANOSECONDS));
	}

	/**
	 * Gives the share back as soon as there is one, without waiting.
	 */
	@Override
	public void close() {
		CompletableFuture<?> unused = this.entry.whenComplete((subscribed, failure) -> {
			if (failure == null) {
				this.releases.unsubscribe(subscribed, this.entryName, this.channel);
			}
		});
	}

}
