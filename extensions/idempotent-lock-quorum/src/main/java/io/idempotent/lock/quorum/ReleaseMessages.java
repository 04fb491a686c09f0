package io.idempotent.lock.quorum;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.engine.InterruptibleWait;

/** The published releases that a thread waits for. As one may be lost, it also polls. */
final class ReleaseMessages implements AutoCloseable {

	private final Set<LockServer> servers = ConcurrentHashMap.newKeySet();

	/** A permit for each of these servers. */
	private final Semaphore received = new Semaphore(0);

	private final Votes<Runnable> subscriptions;

	/** Subscribes on all servers, without waiting. */
	ReleaseMessages(QuorumServers servers, String lock) {
		this.subscriptions = servers.ask((server) -> server.subscribe(lock, () -> receive(server)), (end) -> true);
	}

	/** Waits until a majority has subscribed. */
	void begin(long nanos, InterruptibleWait waiting) throws InterruptedException {
		this.subscriptions.await(nanos, waiting);
	}

	private void receive(LockServer server) {
		if (this.servers.add(server)) {
			this.received.release();
		}
	}

	/**
	 * Forgets the releases so far, before a ballot that would see them. One that arrives
	 * meanwhile may count twice, which makes a retry early: in the other order it could
	 * be lost.
	 */
	void reset() {
		this.received.drainPermits();
		this.servers.clear();
	}

	/** Waits for releases on as many servers as the retry needs. */
	void await(Ballot.Retry retry, long nanos, InterruptibleWait waiting) throws InterruptedException {
		waiting.await(Math.min(nanos, retry.nanos()),
				(left) -> this.received.tryAcquire(retry.releases(), left, TimeUnit.NANOSECONDS));
	}

	/** Ends the subscriptions as soon as they are established, without waiting for it. */
	@Override
	public void close() {
		this.subscriptions.forEachReply((reply) -> {
			CompletableFuture<?> unused = reply.thenAccept(Runnable::run);
		});
	}

}
