package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

import io.idempotent.lock.engine.InterruptibleWait;
import org.jspecify.annotations.Nullable;

/**
 * The servers that vote on locks, and how long they are waited for.
 */
final class QuorumServers implements AutoCloseable {

	private final List<LockServer> servers;

	private final long timeout;

	private final long connectTimeout;

	private volatile boolean begun;

	private final int majority;

	QuorumServers(List<LockServer> servers, int majority, Duration timeout, Duration connectTimeout) {
		this.servers = List.copyOf(servers);
		this.majority = majority;
		this.timeout = timeout.toNanos();
		this.connectTimeout = connectTimeout.toNanos();
	}

	List<LockServer> all() {
		return this.servers;
	}

	int majority() {
		return this.majority;
	}

	/**
	 * How long one request may take.
	 * @return the time in nanoseconds
	 */
	long timeout() {
		return this.timeout;
	}

	/**
	 * Connects the servers that are not connected. Waits only until there is a majority,
	 * and the first time a little longer for the others.
	 * @param waiting how the thread waits
	 * @throws InterruptedException if an interrupt ends the wait
	 */
	void connect(InterruptibleWait waiting) throws InterruptedException {
		Votes<?> votes = ask(LockServer::connect, (connected) -> true);
		if (votes.await(this.connectTimeout, waiting) == Votes.Result.YES && !this.begun) {
			votes.awaitAll(this.timeout, waiting);
			this.begun = true;
		}
	}

	/**
	 * Asks all servers, without waiting.
	 * @param <T> the type of a reply
	 * @param question asks one server
	 * @param isYes whether a reply agrees
	 */
	<T extends @Nullable Object> Votes<T> ask(Function<LockServer, CompletableFuture<T>> question, Predicate<T> isYes) {
		return Votes.ask(this.servers, this.majority, question, isYes);
	}

	@Override
	public void close() {
		this.servers.forEach(LockServer::close);
	}

}
