package io.idempotent.store;

/**
 * Wakes waiters when a claim ends. Implemented by stores that can push; without it,
 * waiters poll.
 */
public interface WakeUps {

	/**
	 * Subscribes to the end of a claim. A wake-up may come too early, twice or not at
	 * all; the waiter has to check the record.
	 * @param wake the callback, called on a thread of the store; must not block
	 * @return the subscription, to be closed
	 */
	Subscription subscribe(OperationKey key, Runnable wake);

	/**
	 * A subscription to a key.
	 */
	interface Subscription extends AutoCloseable {

		@Override
		void close();

	}

}
