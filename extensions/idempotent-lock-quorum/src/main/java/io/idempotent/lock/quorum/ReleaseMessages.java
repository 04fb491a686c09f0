package io.idempotent.lock.quorum;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.idempotent.lock.engine.InterruptibleWait;

/** The published releases that a thread waits for. As one may be lost, it also polls. */
final class ReleaseMessages implements AutoCloseable {

	private final ReentrantLock monitor = new ReentrantLock();

	private final Condition received = this.monitor.newCondition();

	private final Set<LockServer> servers = new HashSet<>();

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
		this.monitor.lock();
		try {
			this.servers.add(server);
			this.received.signalAll();
		}
		finally {
			this.monitor.unlock();
		}
	}

	/** Forgets the releases so far, before a ballot that would see them. */
	void reset() {
		this.monitor.lock();
		try {
			this.servers.clear();
		}
		finally {
			this.monitor.unlock();
		}
	}

	/** Waits for releases on as many servers as the retry needs. */
	void await(Ballot.Retry retry, long nanos, InterruptibleWait waiting) throws InterruptedException {
		waiting.await(Math.min(nanos, retry.nanos()), (left) -> await(retry.releases(), left));
	}

	private boolean await(int releases, long nanos) throws InterruptedException {
		this.monitor.lockInterruptibly();
		try {
			long left = nanos;
			while (this.servers.size() < releases && left > 0) {
				left = this.received.awaitNanos(left);
			}
			return left > 0;
		}
		finally {
			this.monitor.unlock();
		}
	}

	/** Ends the subscriptions as soon as they are established, without waiting for it. */
	@Override
	public void close() {
		this.subscriptions.forEachReply((reply) -> {
			CompletableFuture<?> unused = reply.thenAccept(Runnable::run);
		});
	}

}
