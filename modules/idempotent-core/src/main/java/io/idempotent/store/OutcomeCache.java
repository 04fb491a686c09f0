package io.idempotent.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A near cache of completed outcomes, so that a duplicate costs no round trip to the
 * store. A completed outcome never changes while it is retained, so an entry is wrong
 * only if the record was deleted by hand.
 *
 * <p>
 * Safe for use by several threads; must neither block nor throw.
 */
public interface OutcomeCache {

	/** A cache that is always empty. */
	OutcomeCache NONE = new OutcomeCache() {

		@Override
		public @Nullable Entry find(OperationKey key) {
			return null;
		}

		@Override
		public void put(OperationKey key, Entry entry) {
		}

	};

	/** Looks up an outcome; {@code null} if there is none. */
	@Nullable Entry find(OperationKey key);

	/** Adds an outcome, which must not be found after its expiry. */
	void put(OperationKey key, Entry entry);

	/**
	 * A completed outcome.
	 *
	 * @param fingerprint the digest of the submission's content
	 * @param done what a claim has found
	 * @param expiry when the record expires at the earliest, by {@link System#nanoTime()}
	 */
	record Entry(Fingerprint fingerprint, ClaimResult.Completed done, long expiry) {

		/** Longer than any process runs, and short enough to compare two times. */
		private static final Duration LONGEST = Duration.ofDays(36_500);

		/**
		 * An entry whose record is remembered for a time.
		 * @param since when that time began at the earliest, by {@link System#nanoTime()}
		 */
		public static Entry of(Fingerprint fingerprint, ClaimResult.Completed done, long since) {
			Duration left = (done.retentionLeft().compareTo(LONGEST) < 0) ? done.retentionLeft() : LONGEST;
			return new Entry(fingerprint, done, since + left.toNanos());
		}

		/** What a claim would have found. */
		public ClaimResult.Completed found() {
			return new ClaimResult.Completed(this.done.outcome(), this.done.attempt(), left(), this.done.origin());
		}

		/** How long the record is remembered from now on; zero after the expiry. */
		public Duration left() {
			return Duration.ofNanos(Math.max(0, this.expiry - System.nanoTime()));
		}

	}

}
