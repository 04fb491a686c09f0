package io.idempotent.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Remembers completed outcomes near by, so that a duplicate costs no round trip. A
 * completed outcome never changes while it is retained, so an entry can be wrong only
 * when somebody evicts the record by hand.
 *
 * <p>
 * Safe for use by several threads; must neither block nor throw.
 */
public interface OutcomeCache {

	/** Remembers nothing. */
	OutcomeCache NONE = new OutcomeCache() {

		@Override
		public @Nullable Entry find(OperationKey key) {
			return null;
		}

		@Override
		public void put(OperationKey key, Entry entry, Duration retention) {
		}

	};

	/**
	 * Looks an outcome up.
	 * @param key the key, scope included
	 * @return the entry, or {@code null}
	 */
	@Nullable Entry find(OperationKey key);

	/**
	 * Remembers an outcome.
	 * @param key the key
	 * @param entry the entry
	 * @param retention how long at most
	 */
	void put(OperationKey key, Entry entry, Duration retention);

	/**
	 * A completed outcome and what it answers.
	 *
	 * @param fingerprint what the operation was asked to do
	 * @param outcome what it answered
	 * @param attempt the attempt that did it
	 */
	record Entry(Fingerprint fingerprint, Outcome outcome, int attempt) {
	}

}
