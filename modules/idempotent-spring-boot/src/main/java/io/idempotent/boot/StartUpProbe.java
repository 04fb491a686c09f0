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
 * Tries an action once while the application starts, for a few seconds at most. It runs
 * on its own thread, because a connection pool may block its caller for half a minute.
 */
final class StartUpProbe {

	private static final Duration LONGEST = Duration.ofSeconds(5);

	private StartUpProbe() {
	}

	/**
	 * Tries an action.
	 * @param threadName the name of the thread
	 * @param use the action
	 * @return the failure, or {@code null} if the action succeeded
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
	 * An action.
	 */
	interface Use {

		/**
		 * Runs it.
		 */
		void run() throws Exception;

	}

}
