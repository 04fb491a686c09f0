package io.idempotent.lock.redisson;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.idempotent.lock.engine.InterruptibleWait;
import org.redisson.api.RTopic;
import org.redisson.api.listener.StatusListener;

/**
 * A listener for the releases of a lock. All listeners of a client for one channel share
 * a subscription, those of Redisson's own locks included. A release may be missed: when
 * the last of Redisson's own locks that wait on this client stops waiting, it ends the
 * shared subscription; a lost connection ends it until Redisson has subscribed again; and
 * a name mapper can make the channel inaccessible. See {@link #isActive()}.
 */
final class ReleaseSubscription implements StatusListener, AutoCloseable {

	private final String channel;

	private final Semaphore releases = new Semaphore(0);

	private final CompletableFuture<Runnable> listeners;

	private volatile boolean active = true;

	ReleaseSubscription(String channel, CompletableFuture<RTopic> topic) {
		this.channel = channel;
		this.listeners = topic.thenCompose(this::listen);
	}

	/** Completes with an action that removes the listeners. */
	private CompletableFuture<Runnable> listen(RTopic topic) {
		if (!topic.getChannelNames().contains(this.channel)) {
			this.active = false;
			return CompletableFuture.completedFuture(() -> {
			});
		}
		return topic.addListenerAsync(Long.class, (channel, release) -> this.releases.release())
			.toCompletableFuture()
			.thenCompose((messages) -> topic.addListenerAsync(this).handle((status, failure) -> {
				if (failure != null) {
					remove(topic, messages);
					throw new CompletionException(failure);
				}
				return () -> remove(topic, messages, status);
			}));
	}

	private static void remove(RTopic topic, Integer... listeners) {
		CompletableFuture<?> unused = topic.removeListenerAsync(listeners).toCompletableFuture();
	}

	/** Waits for the given time; fails after Redisson's {@code subscriptionTimeout}. */
	boolean begin(long nanos, InterruptibleWait waiting) throws InterruptedException {
		try {
			waiting.get(this.listeners, nanos);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			throw LockClient.unavailable("subscribe to " + this.channel, ex);
		}
	}

	void await(long nanos, InterruptibleWait waiting) throws InterruptedException {
		waiting.await(nanos, (left) -> this.releases.tryAcquire(left, TimeUnit.NANOSECONDS));
	}

	/** Whether releases are received as far as this client knows. */
	boolean isActive() {
		return this.active;
	}

	@Override
	public void onSubscribe(String channel) {
		this.active = true;
		this.releases.release();
	}

	@Override
	public void onUnsubscribe(String channel) {
		this.active = false;
		this.releases.release();
	}

	/** Removes the listeners as soon as they are established, without waiting for it. */
	@Override
	public void close() {
		CompletableFuture<?> unused = this.listeners.thenAccept(Runnable::run);
	}

}
