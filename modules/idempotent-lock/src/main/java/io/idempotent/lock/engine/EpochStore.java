package io.idempotent.lock.engine;

/**
 * The register in which the nodes of an application agree on the lock engine in force: a
 * short text with a version, kept by the authority, such as a row, a ZooKeeper node or a
 * Redis key.
 *
 * <p>
 * A write is atomic: it takes effect only if the version has not changed, and all nodes
 * see the writes in one order. A read may return a former entry. No clock of the
 * authority is used. Safe for use by many threads.
 */
public interface EpochStore {

	/**
	 * Returns the latest entry or a former one; {@link Entry#ABSENT} if there is none.
	 * @throws io.idempotent.lock.LockUnavailableException if the authority cannot be
	 * asked
	 */
	Entry read();

	/**
	 * Replaces the entry.
	 * @param version the version of the entry to replace, as it was read; 0 to create it
	 * @return whether the entry had that version, so that it was replaced
	 * @throws io.idempotent.lock.LockUnavailableException if the authority cannot be
	 * reached; the write may or may not have taken effect
	 */
	boolean write(long version, String text);

	/**
	 * Whether the authority may forget the entry, as a Redis that is flushed or restarted
	 * without persistence does. Then the first node that finds no entry lets all nodes
	 * wait for 1.1 times the lease before any lock is granted.
	 */
	default boolean mayForget() {
		return false;
	}

	/**
	 * The entry.
	 *
	 * @param version grows with every write; 0 if there is no entry
	 * @param text the text that was last written
	 */
	record Entry(long version, String text) {

		/** There is no entry. */
		public static final Entry ABSENT = new Entry(0, "");

	}

}
