package io.idempotent.boot;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.idempotent.logging.DurationText;
import io.idempotent.support.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * Tries something once while the application starts, for a few seconds at most. On a
 * thread of its own: a pool may let its caller wait for half a minute.
 */
final class StartUpProbe {

	private static final Duration LONGEST = Duration.ofSeconds(5);

	private StartUpProbe() {
	}

	/**
	 * Tries it.
	 * @param threadName the name of the thread
	 * @param use what to try
	 * @return why it failed, or {@code null} if it did not
	 */
	static @Nullable Throwable failure(String threadName, Use use) {
		CompletableFuture<Void> used = new CompletableFuture<>();
		DaemonThreads.start(threadName, () -> run(use, used));
		try {
			used.get(LONGEST.toNanos(), TimeUnit.NANOSECONDS);
			return null;
		}
		catch (ExecutionException ex) {
			return ex.getCause();
		}
		catch (TimeoutException ex) {
			return new IllegalStateException("it did not answer within " + DurationText.of(LONGEST), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return ex;
		}
	}

	private static void run(Use use, CompletableFuture<Void> used) {
		try {
			use.run();
			used.complete(null);
		}
		catch (Throwable ex) {
			used.completeExceptionally(ex);
		}
	}

	/**
	 * What is tried.
	 */
	interface Use {

		/**
		 * Runs it.
		 */
		void run() throws Exception;

	}

}
