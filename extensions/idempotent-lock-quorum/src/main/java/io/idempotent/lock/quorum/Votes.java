package io.idempotent.lock.quorum;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import org.jspecify.annotations.Nullable;

/**
 * One request to all servers at once, and its result: decided as soon as no further reply
 * can change it. Safe for use by several threads.
 */
final class Votes<T extends @Nullable Object> {

	private static final int MAX_REASON_LENGTH = 200;

	private final Map<LockServer, CompletableFuture<T>> replies = new LinkedHashMap<>();

	private final CompletableFuture<Result> result = new CompletableFuture<>();

	private final Predicate<T> isYes;

	private final int majority;

	private final List<T> yes = new ArrayList<>();

	private final List<T> no = new ArrayList<>();

	private final Map<LockServer, Throwable> failures = new LinkedHashMap<>();

	private final CountDownLatch counted;

	private Votes(int servers, int majority, Predicate<T> isYes) {
		this.counted = new CountDownLatch(servers);
		this.majority = majority;
		this.isYes = isYes;
	}

	/** Asks all servers, without waiting. */
	static <T extends @Nullable Object> Votes<T> ask(List<LockServer> servers, int majority,
			Function<LockServer, CompletableFuture<T>> question, Predicate<T> isYes) {
		Votes<T> votes = new Votes<>(servers.size(), majority, isYes);
		servers.forEach((server) -> votes.replies.put(server, question.apply(server)));
		servers.forEach((server) -> {
			CompletableFuture<?> unused = votes.reply(server)
				.whenComplete((value, failure) -> votes.count(server, value, failure));
		});
		return votes;
	}

	private synchronized void count(LockServer server, T value, @Nullable Throwable failure) {
		this.counted.countDown();
		if (failure != null) {
			this.failures.put(server, failure);
		}
		else {
			(this.isYes.test(value) ? this.yes : this.no).add(value);
		}
		int minority = this.replies.size() - this.majority;
		if (this.yes.size() >= this.majority) {
			this.result.complete(Result.YES);
		}
		else if (this.no.size() > minority) {
			this.result.complete(Result.NO);
		}
		else if (this.failures.size() > minority) {
			this.result.complete(Result.UNREACHABLE);
		}
		else if (this.yes.size() + this.no.size() + this.failures.size() == this.replies.size()) {
			this.result.complete(Result.SPLIT);
		}
	}

	/** Waits for the result. Servers that do not reply in time count as failed. */
	Result await(long nanos, InterruptibleWait waiting) throws InterruptedException {
		try {
			return waiting.get(this.result, nanos);
		}
		catch (TimeoutException ex) {
			return expire(nanos);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private synchronized Result expire(long nanos) {
		TimeoutException late = new TimeoutException("no reply within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
		this.replies.forEach((server, reply) -> {
			if (!reply.isDone()) {
				this.failures.putIfAbsent(server, late);
			}
		});
		boolean unreachable = this.failures.size() > this.replies.size() - this.majority;
		this.result.complete(unreachable ? Result.UNREACHABLE : Result.SPLIT);
		return this.result.join();
	}

	/** Waits for every server, and returns the result. Late ones count as failed. */
	Result awaitAll(long nanos, InterruptibleWait waiting) throws InterruptedException {
		waiting.await(nanos, (left) -> this.counted.await(left, TimeUnit.NANOSECONDS));
		return expire(nanos);
	}

	/** The reply of one server, which may arrive after the result. */
	CompletableFuture<T> reply(LockServer server) {
		return Objects.requireNonNull(this.replies.get(server));
	}

	void forEachReply(Consumer<CompletableFuture<T>> action) {
		this.replies.values().forEach(action);
	}

	synchronized List<T> yes() {
		return List.copyOf(this.yes);
	}

	synchronized List<T> no() {
		return List.copyOf(this.no);
	}

	synchronized LockUnavailableException unavailable(String what) {
		String reasons = this.failures.entrySet()
			.stream()
			.map((failure) -> failure.getKey() + ": " + reason(failure.getValue()))
			.collect(Collectors.joining("; "));
		LockUnavailableException unavailable = new LockUnavailableException("The lock engine 'quorum' could not " + what
				+ ": only " + this.yes.size() + " of " + this.replies.size() + " servers agreed, and " + this.majority
				+ " are needed" + (reasons.isEmpty() ? "" : " (" + reasons + ")")
				+ ". Check the servers that idempotent.lock.quorum.servers names, their log and the permissions of "
				+ "their user (ACL LOG)", null);
		this.failures.values().forEach(unavailable::addSuppressed);
		return unavailable;
	}

	/** The deepest message's first line, since Redisson appends whole scripts. */
	private static String reason(Throwable failure) {
		Throwable deepest = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		for (Throwable cause = deepest; cause != null; cause = cause.getCause()) {
			deepest = (cause.getMessage() != null) ? cause : deepest;
		}
		String message = String.valueOf(deepest.getMessage()).lines().findFirst().orElse("");
		return deepest.getClass().getSimpleName() + ": "
				+ message.substring(0, Math.min(message.length(), MAX_REASON_LENGTH));
	}

	enum Result {

		/** A majority agreed. */
		YES,

		/** Too many servers refused for a majority to agree. */
		NO,

		/** Too many servers did not reply. */
		UNREACHABLE,

		SPLIT

	}

}
