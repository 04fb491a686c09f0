package io.idempotent.boot.internal.store;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.idempotent.logging.DurationText;
import io.idempotent.support.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server a question at most once per interval, never concurrently, on a thread of
 * its own. Callers get the last answer while it is recent, and never wait longer than
 * they want to. Safe for use by many threads.
 *
 * @param <T> the type of the answer
 */
public final class RareProbe<T> {

	private static final Duration LONGEST_START = Duration.ofSeconds(5);

	private final String threadName;

	private final Duration interval;

	private final Callable<T> question;

	private @Nullable Attempt<T> latest;

	/**
	 * Creates a probe that has not run yet.
	 * @param threadName the name of the thread that asks
	 * @param interval how long a result is recent
	 * @param question asks the server, and may block
	 */
	public RareProbe(String threadName, Duration interval, Callable<T> question) {
		this.threadName = threadName;
		this.interval = interval;
		this.question = question;
	}

	/**
	 * Asks one time while the application starts, for a few seconds at most: a connection
	 * pool may block its caller for half a minute.
	 * @param <T> the type of the answer
	 * @param threadName the name of the thread that asks
	 * @param question asks the server, and may block
	 * @return the answer, or why there is none
	 */
	static <T> Answer<T> atStart(String threadName, Callable<T> question) {
		Answer<T> answer = new RareProbe<>(threadName, Duration.ZERO, question).ask(LONGEST_START);
		return (answer instanceof Answer.Pending<T>)
				? new Answer.Failed<>(
						new IllegalStateException("it did not answer within " + DurationText.of(LONGEST_START)))
				: answer;
	}

	/**
	 * Returns the last result, or runs the check again if it is not recent.
	 * @param patience how long the check may take, counted from its start. A later caller
	 * does not wait
	 */
	public Answer<T> ask(Duration patience) {
		Attempt<T> attempt = recent();
		if (attempt == null) {
			return new Answer.Failed<>(new IllegalStateException("No thread could be started to ask"));
		}
		return attempt.await(patience);
	}

	private synchronized @Nullable Attempt<T> recent() {
		Attempt<T> known = this.latest;
		if (known != null && (!known.isDone() || known.isYoungerThan(this.interval))) {
			return known;
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
	 * The result of the check.
	 *
	 * @param <T> the type of the answer
	 */
	public sealed interface Answer<T> {

		/**
		 * The server answered.
		 *
		 * @param <T> the type of the answer
		 * @param value the answer
		 */
		record Given<T>(T value) implements Answer<T> {
		}

		/**
		 * The check failed.
		 *
		 * @param <T> the type of the answer
		 * @param cause why
		 */
		record Failed<T>(Throwable cause) implements Answer<T> {
		}

		/**
		 * The server has not answered yet.
		 *
		 * @param <T> the type of the answer
		 * @param since how long ago the check started
		 */
		record Pending<T>(Duration since) implements Answer<T> {
		}

	}

	private static final class Attempt<T> {

		private final long startedAt = System.nanoTime();

		private final CountDownLatch done = new CountDownLatch(1);

		private volatile long endedAt;

		private volatile @Nullable Answer<T> answer;

		void run(Callable<T> question) {
			try {
				this.answer = new Answer.Given<>(question.call());
			}
			catch (Throwable ex) {
				this.answer = new Answer.Failed<>(ex);
			}
			finally {
				this.endedAt = System.nanoTime();
				this.done.countDown();
			}
		}

		boolean isDone() {
			return this.done.getCount() == 0;
		}

		boolean isYoungerThan(Duration age) {
			return System.nanoTime() - this.endedAt < age.toNanos();
		}

		Answer<T> await(Duration patience) {
			try {
				boolean unused = this.done.await(this.startedAt + patience.toNanos() - System.nanoTime(),
						TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			Answer<T> known = this.answer;
			return (known != null) ? known : new Answer.Pending<>(Duration.ofNanos(System.nanoTime() - this.startedAt));
		}

	}

}
