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

	/** By how much the clocks of two machines may run at different rates. */
	private static final double DRIFT_FACTOR = 0.01;

	/** A new JVM may take longer to connect than to get a reply. */
	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

	private final List<LockServer> servers;

	private final int majority;

	private final long timeout;

	private final long connectTimeout;

	private volatile boolean begun;

	QuorumServers(List<LockServer> servers, int majority, Duration timeout) {
		this.servers = List.copyOf(servers);
		this.majority = majority;
		this.timeout = timeout.toNanos();
		this.connectTimeout = connectTimeout(timeout).toNanos();
	}

	/** Throws an {@link IllegalArgumentException} if they cannot work. */
	static QuorumServers of(List<String> urls, Duration timeout) {
		List<ServerAddress> addresses = urls.stream().map(ServerAddress::parse).toList();
		if (addresses.size() < 3 || addresses.size() % 2 == 0) {
			throw new IllegalArgumentException("There must be an odd number of servers, at least three, not "
					+ addresses.size() + ": one more than an odd number tolerates no more failures");
		}
		if (addresses.stream().map(ServerAddress::url).distinct().count() < addresses.size()) {
			throw new IllegalArgumentException("A server is named twice among " + addresses);
		}
		if (timeout.toMillis() < 1) {
			throw new IllegalArgumentException("The time-out must be at least a millisecond");
		}
		return new QuorumServers(addresses.stream()
			.<LockServer>map(
					(address) -> new RedisLockServer(new ServerConnection(address, timeout, connectTimeout(timeout))))
			.toList(), addresses.size() / 2 + 1, timeout);
	}

	private static Duration connectTimeout(Duration timeout) {
		return (timeout.compareTo(CONNECT_TIMEOUT) > 0) ? timeout : CONNECT_TIMEOUT;
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
		return lease.minusNanos((long) (lease.toNanos() * DRIFT_FACTOR) + PRECISION_NANOS);
	}

	/** The lease of the servers for a validity, rounded up to milliseconds. */
	Duration lease(Duration validity) {
		double nanos = (validity.toNanos() + PRECISION_NANOS) / (1 - DRIFT_FACTOR);
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
