package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

import io.idempotent.lock.engine.InterruptibleWait;
import org.jspecify.annotations.Nullable;

/**
 * The servers that vote on locks, how long they are waited for, and how much shorter a
 * lease is for its holder than for the servers, since their clocks may run at different
 * rates: a share of the lease, and the precision of Redis's expiry.
 */
final class QuorumServers implements AutoCloseable {

	private static final long PRECISION_NANOS = 2_000_000;

	private final List<LockServer> servers;

	private final int majority;

	private final long timeout;

	private final long connectTimeout;

	private final double driftFactor;

	private volatile boolean begun;

	QuorumServers(List<LockServer> servers, int majority, Duration timeout, Duration connectTimeout,
			double driftFactor) {
		this.servers = List.copyOf(servers);
		this.majority = majority;
		this.timeout = timeout.toNanos();
		this.connectTimeout = connectTimeout.toNanos();
		this.driftFactor = driftFactor;
	}

	List<LockServer> all() {
		return this.servers;
	}

	int majority() {
		return this.majority;
	}

	/** How many nanoseconds one request may take. */
	long timeout() {
		return this.timeout;
	}

	/** How long the holder may use a lease of the servers; may be negative. */
	Duration validity(Duration lease) {
		return lease.minusNanos((long) (lease.toNanos() * this.driftFactor) + PRECISION_NANOS);
	}

	/** The lease of the servers for a validity, rounded up to milliseconds. */
	Duration lease(Duration validity) {
		double nanos = (validity.toNanos() + PRECISION_NANOS) / (1 - this.driftFactor);
		return Duration.ofMillis((long) Math.ceil(nanos / 1_000_000));
	}

	/** Waits for a majority only, and the first time a little longer for the others. */
	void connect(InterruptibleWait waiting) throws InterruptedException {
		Votes<?> votes = ask(LockServer::connect, (connected) -> true);
		if (votes.await(this.connectTimeout, waiting) == Votes.Result.YES && !this.begun) {
			votes.awaitAll(this.timeout, waiting);
			this.begun = true;
		}
	}

	/** Asks all servers, without waiting. */
	<T extends @Nullable Object> Votes<T> ask(Function<LockServer, CompletableFuture<T>> question, Predicate<T> isYes) {
		return Votes.ask(this.servers, this.majority, question, isYes);
	}

	@Override
	public void close() {
		this.servers.forEach(LockServer::close);
	}

}
