package io.idempotent.store;

/**
 * Tells those who wait that a claim has ended. What a store offers beside its primitives
 * if it can push; without it, waiters poll.
 */
public interface WakeUps {

	/**
	 * Asks to be woken when the claim of a key ends. A wake-up may be early, double or
	 * missing: it says "look again", nothing more. It must not block.
	 * @param key the key
	 * @param wake what to run, on a thread of the store
	 * @return closes the subscription
	 */
	Subscription subscribe(OperationKey key, Runnable wake);

	/**
	 * An interest in a key.
	 */
	interface Subscription extends AutoCloseable {

		@Override
		void close();

	}

}
