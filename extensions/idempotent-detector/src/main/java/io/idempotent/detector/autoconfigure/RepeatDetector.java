package io.idempotent.detector.autoconfigure;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.idempotent.logging.Outage;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimRequest.Lapsed;
import io.idempotent.store.ClaimRequest.Term;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Asks the store whether a request is the first one with its key, by one claim for each:
 * a claim without a lease, which nobody ends and which expires with the window. The store
 * is asked on one thread and after the request, so that it delays none: what does not fit
 * into a short queue, or waits in it, is not judged.
 */
final class RepeatDetector implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(RepeatDetector.class);

	private static final int MAX_WAITING = 1_000;

	/** A longer wait would make requests look closer to each other than they were. */
	private static final long MAX_WAIT_NANOS = 1_000_000_000;

	private static final Duration SHUTDOWN = Duration.ofSeconds(2);

	private static final double HASHES = 0x1p32;

	private final IdempotencyStore store;

	private final double sampling;

	private final Duration window;

	private final List<DetectionListener> listeners;

	private final Outage outage = new Outage(Outage.QUIET);

	private final SecureRandom random = new SecureRandom();

	private final ThreadPoolExecutor thread;

	/**
	 * @param sampling the part of all keys that the store is asked for, from 0 to 1
	 * @param window how long a key is remembered
	 */
	RepeatDetector(IdempotencyStore store, double sampling, Duration window, List<DetectionListener> listeners) {
		this.store = store;
		this.sampling = sampling;
		this.window = window;
		this.listeners = listeners;
		this.thread = new ThreadPoolExecutor(1, 1, SHUTDOWN.toSeconds(), TimeUnit.SECONDS,
				new ArrayBlockingQueue<>(MAX_WAITING), DaemonThreads.named("idempotent-detector"));
		this.thread.allowCoreThreadTimeOut(true);
	}

	/** A request that succeeded and ran without a claim. Does not wait. */
	void succeeded(WatchedEndpoint endpoint, OperationKey key) {
		if (!isSampled(key)) {
			return;
		}
		long since = System.nanoTime();
		try {
			this.thread.execute(() -> tell(endpoint, judge(key, since)));
		}
		catch (RejectedExecutionException ex) {
			unjudged(endpoint);
		}
	}

	/** A request that succeeded, but cannot be compared. */
	void unjudged(WatchedEndpoint endpoint) {
		tell(endpoint, Verdict.UNJUDGED);
	}

	private void tell(WatchedEndpoint endpoint, Verdict verdict) {
		this.listeners.forEach((listener) -> listener.onRequest(endpoint, verdict));
	}

	/**
	 * By the key, so that all requests with it are in the sample, or none, on any node.
	 */
	private boolean isSampled(OperationKey key) {
		return Integer.toUnsignedLong(key.digest().hashCode()) < this.sampling * HASHES;
	}

	private Verdict judge(OperationKey key, long since) {
		if (System.nanoTime() - since > MAX_WAIT_NANOS) {
			return Verdict.UNJUDGED;
		}
		try {
			ClaimResult result = this.store
				.claim(new ClaimRequest(key, Owner.draw(this.random), new Fingerprint(key.digest()), this.window,
						this.window, Admission.OPEN, Lapsed.LEAVE, Term.BURNT, false));
			this.outage.succeeded();
			return (result instanceof ClaimResult.Granted) ? Verdict.FIRST : Verdict.REPEATED;
		}
		catch (RuntimeException ex) {
			if (!this.thread.isShutdown()) {
				log(ex);
			}
			return Verdict.UNJUDGED;
		}
	}

	private void log(RuntimeException failure) {
		if (this.outage.failed() == Outage.Failure.FURTHER) {
			logger.debug("The detector could not ask the store", failure);
		}
		else {
			logger.warn("The detector cannot ask the store whether requests are repeats, and counts them as unjudged. "
					+ "The requests themselves are not affected. Further failures are logged at DEBUG: "
					+ failure.getMessage());
		}
	}

	/** Drops what has not been judged. */
	@Override
	public void close() {
		this.thread.shutdownNow();
		try {
			this.thread.awaitTermination(SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Is called for each watched request, on any thread. */
	@FunctionalInterface
	interface DetectionListener {

		void onRequest(WatchedEndpoint endpoint, Verdict verdict);

	}

	/** What a watched request was. */
	enum Verdict {

		/** The first one of its caller with its content within the window. */
		FIRST,

		/** A later one, which ran again. */
		REPEATED,

		/** It is not known: the content was not seen, or the store was not asked. */
		UNJUDGED

	}

}
