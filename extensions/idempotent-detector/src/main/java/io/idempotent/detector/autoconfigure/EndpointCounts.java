package io.idempotent.detector.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import io.idempotent.detector.autoconfigure.RepeatDetector.DetectionListener;
import io.idempotent.detector.autoconfigure.RepeatDetector.Verdict;
import io.idempotent.logging.DurationText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests of each endpoint since the start of this node, and logs repeats:
 * for each endpoint one line an hour at most. There are as many endpoints as the code
 * maps, so that clients cannot make it grow.
 */
final class EndpointCounts implements DetectionListener {

	private static final Log logger = LogFactory.getLog(EndpointCounts.class);

	private static final Duration QUIET = Duration.ofHours(1);

	private final Map<WatchedEndpoint, Counter> counters = new ConcurrentHashMap<>();

	private final Duration window;

	EndpointCounts(Duration window) {
		this.window = window;
	}

	@Override
	public void onRequest(WatchedEndpoint endpoint, Verdict verdict) {
		Counter counter = this.counters.computeIfAbsent(endpoint, (absent) -> new Counter());
		switch (verdict) {
			case FIRST -> counter.first.increment();
			case UNJUDGED -> counter.unjudged.increment();
			case REPEATED -> {
				counter.repeated.increment();
				counter.lastRepeat = Instant.now();
				if (counter.mayLog()) {
					log(endpoint, counter.count());
				}
			}
		}
	}

	private void log(WatchedEndpoint endpoint, Count count) {
		logger.warn(endpoint + " ran the same request twice: " + count.repeated() + " of " + count.requests()
				+ " requests without protection repeated one of the same caller with the same content within "
				+ DurationText.of(this.window) + ". If that must not happen, annotate the handler method with "
				+ "@ApiIdempotent, or, if it is, require a key. The next line on this endpoint follows in an hour at "
				+ "the earliest");
	}

	/** The endpoints that had requests. */
	Map<WatchedEndpoint, Count> counts() {
		Map<WatchedEndpoint, Count> counts = new ConcurrentHashMap<>();
		this.counters.forEach((endpoint, counter) -> counts.put(endpoint, counter.count()));
		return counts;
	}

	/**
	 * The requests of an endpoint.
	 *
	 * @param requests how many were judged
	 * @param repeated how many of these were repeats
	 * @param unjudged how many others were not judged
	 */
	record Count(long requests, long repeated, long unjudged, @Nullable Instant lastRepeat) {

		static final Count NONE = new Count(0, 0, 0, null);

	}

	private static final class Counter {

		private final LongAdder first = new LongAdder();

		private final LongAdder repeated = new LongAdder();

		private final LongAdder unjudged = new LongAdder();

		/** By {@link System#nanoTime()}. */
		private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());

		private volatile @Nullable Instant lastRepeat;

		boolean mayLog() {
			long now = System.nanoTime();
			long until = this.quietUntil.get();
			return now - until >= 0 && this.quietUntil.compareAndSet(until, now + QUIET.toNanos());
		}

		Count count() {
			long again = this.repeated.sum();
			return new Count(this.first.sum() + again, again, this.unjudged.sum(), this.lastRepeat);
		}

	}

}
