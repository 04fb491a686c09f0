package io.idempotent.boot.internal.store;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.idempotent.logging.DurationText;
import io.idempotent.support.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * Runs a check of a server at most once per interval, never concurrently, on a thread of
 * its own. Callers get the last answer while it is recent, and never wait longer than
 * they want to. Safe for use by many threads.
 */
public final class RareProbe<T> {

	private static final Duration LONGEST_START = Duration.ofSeconds(5);

	private final String threadName;

	private final Duration interval;

	private final Callable<T> question;

	private @Nullable Attempt<T> latest;

	public RareProbe(String threadName, Duration interval, Callable<T> question) {
		this.threadName = threadName;
		this.interval = interval;
		this.question = question;
	}

	/** Waits a few seconds at most: a connection pool may block for half a minute. */
	Answer<T> askAtStart() {
		Answer<T> answer = ask(LONGEST_START);
		return (answer instanceof Answer.Pending<T>)
				? new Answer.Failed<>(
						new IllegalStateException("it did not answer within " + DurationText.of(LONGEST_START)))
				: answer;
	}

	/** The patience counts from the start of the check, so later callers wait less. */
	public Answer<T> ask(Duration patience) {
		Attempt<T> attempt = recentOrStarted();
		return (attempt != null) ? attempt.await(patience)
				: new Answer.Failed<>(new IllegalStateException("No thread could be started to ask"));
	}

	private synchronized @Nullable Attempt<T> recentOrStarted() {
		if (this.latest != null && this.latest.isRecent(this.interval)) {
			return this.latest;
		}
		Attempt<T> next = new Attempt<>();
		try {
			DaemonThreads.start(this.threadName, () -> next.run(this.question));
		}
		catch (Throwable ex) {
			// For instance too many threads: the next caller tries again.
			return null;
		}
		this.latest = next;
		return next;
	}

	/**
	 * The result of a check.
	 */
	public sealed interface Answer<T> {

		record Given<T>(T value) implements Answer<T> {
		}

		record Failed<T>(Throwable cause) implements Answer<T> {
		}

		/** The check started a while ago, and the server has not answered yet. */
		record Pending<T>(Duration since) implements Answer<T> {
		}

	}

	private static final class Attempt<T> {

		private final long startedAt = System.nanoTime();

		private final CompletableFuture<Answer<T>> answer = new CompletableFuture<>();

		private volatile long endedAt;

		void run(Callable<T> question) {
			Answer<T> found;
			try {
				found = new Answer.Given<>(question.call());
			}
			catch (Throwable ex) {
				found = new Answer.Failed<>(ex);
			}
			this.endedAt = System.nanoTime();
			this.answer.complete(found);
		}

		boolean isRecent(Duration interval) {
			return !this.answer.isDone() || System.nanoTime() - this.endedAt < interval.toNanos();
		}

		Answer<T> await(Duration patience) {
			try {
				return this.answer.get(this.startedAt + patience.toNanos() - System.nanoTime(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			catch (TimeoutException | ExecutionException ex) {
				// Not answered yet: a failure is an answer.
			}
			return this.answer.getNow(new Answer.Pending<>(Duration.ofNanos(System.nanoTime() - this.startedAt)));
		}

	}

}
