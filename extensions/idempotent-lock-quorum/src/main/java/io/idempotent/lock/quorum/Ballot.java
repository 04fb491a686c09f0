package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.quorum.LockServer.TakeReply;
import io.idempotent.lock.quorum.Votes.Result;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One vote of the servers on who gets a lock, with its own owner, so that late messages
 * do not affect another ballot. In the first phase the servers take the lock and reply
 * with their counters; in the second they raise them to the token.
 */
final class Ballot {

	private static final Log logger = LogFactory.getLog(Ballot.class);

	private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);

	private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);

	private final QuorumServers servers;

	private final String lock;

	private final String owner;

	private final Duration lease;

	private final long start = System.nanoTime();

	private final Votes<TakeReply> takes;

	/** Sends the first phase, without waiting. */
	Ballot(QuorumServers servers, String lock, String owner, Duration lease) {
		this.servers = servers;
		this.lock = lock;
		this.owner = owner;
		this.lease = lease;
		this.takes = servers.ask((server) -> server.take(lock, owner, lease), TakeReply::granted);
	}

	/**
	 * Returns {@code null} if others have the lock, and fails if no majority of the
	 * servers can be asked. Without a majority, what single servers granted is released.
	 */
	@Nullable QuorumGrant await(InterruptibleWait waiting) throws InterruptedException {
		QuorumGrant grant = null;
		Result taken = null;
		try {
			taken = this.takes.await(this.servers.timeout(), waiting);
			if (taken == Result.UNREACHABLE) {
				throw this.takes.unavailable("take the lock '" + this.lock + "'");
			}
			grant = (taken == Result.YES) ? raiseToken(waiting) : null;
			return grant;
		}
		finally {
			if (grant == null) {
				// Waiters have seen the grants of others, not these few.
				giveBack(taken != Result.NO && taken != Result.SPLIT);
			}
		}
	}

	private QuorumGrant raiseToken(InterruptibleWait waiting) throws InterruptedException {
		long token = nextToken(this.takes.yes());
		Votes<Boolean> raises = this.servers.ask((server) -> this.takes.reply(server)
			.thenCompose((reply) -> reply.granted() ? server.raise(this.lock, this.owner, token)
					: CompletableFuture.completedFuture(false)),
				Boolean::booleanValue);
		if (raises.await(this.servers.timeout(), waiting) != Result.YES) {
			throw raises.unavailable("raise the token of the lock '" + this.lock + "' to " + token);
		}
		Duration validity = this.servers.validity(this.lease);
		Duration elapsed = Duration.ofNanos(System.nanoTime() - this.start);
		if (elapsed.compareTo(validity) >= 0) {
			throw new LockUnavailableException("The lock engine 'quorum' could not take the lock '" + this.lock
					+ "': the servers took " + elapsed.toMillis() + " ms, and of the lease of " + this.lease.toMillis()
					+ " ms nothing is left. Ask for a longer lease (idempotent.lock.lease-time)", null);
		}
		return new QuorumGrant(this.servers, this.lock, this.owner, token, validity, this.takes);
	}

	/**
	 * A token above all that a majority has accepted, which shares a server with the
	 * majority of each earlier grant. In case that server has lost its memory, the token
	 * is at least the median of the servers' clocks, which one wrong clock of three does
	 * not change.
	 */
	static long nextToken(List<TakeReply> granted) {
		long highest = granted.stream().mapToLong(TakeReply::counter).max().orElseThrow();
		long[] clocks = granted.stream().mapToLong(TakeReply::clock).sorted().toArray();
		return Math.max(highest + 1, clocks[clocks.length / 2]);
	}

	/** Does not wait. What cannot be released ends with its lease. */
	private void giveBack(boolean publish) {
		for (LockServer server : this.servers.all()) {
			CompletableFuture<?> unused = this.takes.reply(server)
				.handle((reply, failure) -> failure != null || reply.granted())
				.thenCompose((granted) -> granted ? server.release(this.lock, this.owner, Duration.ZERO, publish)
						: CompletableFuture.completedFuture(false))
				.whenComplete((released, failure) -> {
					if (failure != null) {
						logger.debug("Could not give back the lock '" + this.lock + "' on " + server
								+ "; it ends with its lease", failure);
					}
				});
		}
	}

	/** When to retry; {@code splits} counts the consecutive ballots nobody has won. */
	Retry retry(int splits) {
		List<TakeReply> refusals = this.takes.no();
		Map<String, Long> owners = refusals.stream()
			.collect(Collectors.groupingBy((reply) -> Objects.requireNonNull(reply.owner()), Collectors.counting()));
		boolean held = owners.values().stream().anyMatch((count) -> count >= this.servers.majority());
		if (!held) {
			long longest = Math.min(LONGEST_PAUSE.toNanos(), SHORTEST_PAUSE.toNanos() << Math.min(splits, 10));
			return new Retry(ThreadLocalRandom.current().nextLong(longest / 10, longest), Integer.MAX_VALUE);
		}
		int needed = Math.max(1, this.servers.majority() - this.takes.yes().size());
		long[] left = refusals.stream().mapToLong(TakeReply::millisLeft).sorted().toArray();
		long expiry = TimeUnit.MILLISECONDS.toNanos(left[Math.min(needed, left.length) - 1] + 1);
		long poll = ThreadLocalRandom.current().nextLong(POLL_INTERVAL.toNanos() / 2, POLL_INTERVAL.toNanos() * 3 / 2);
		return new Retry(Math.min(expiry, poll), needed);
	}

	/** Retry after the release on some servers, or after this time at the latest. */
	record Retry(long nanos, int releases) {

		boolean isSplit() {
			return this.releases == Integer.MAX_VALUE;
		}

	}

}
