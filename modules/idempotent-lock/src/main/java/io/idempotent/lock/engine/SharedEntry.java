package io.idempotent.lock.engine;

/**
 * A short text with a version that nodes share on the servers of a lock engine: a row, a
 * ZooKeeper node or a Redis key. With it they can agree, as on the engine in force.
 *
 * <p>
 * A write is atomic: it takes effect only if the version has not changed, and all nodes
 * see the writes in one order. A read may return a former value. No clock of the servers
 * is used. Safe for use by many threads.
 */
public interface SharedEntry {

	/**
	 * Returns the latest value or a former one; {@link Value#ABSENT} if there is none.
	 * @throws io.idempotent.lock.LockUnavailableException if the servers cannot be asked
	 */
	Value read();

	/**
	 * Replaces the value.
	 * @param version the version of the value to replace, as it was read; 0 to create it
	 * @return whether the entry had that version, so that it was replaced
	 * @throws io.idempotent.lock.LockUnavailableException if the servers cannot be
	 * reached; the write may or may not have taken effect
	 */
	boolean write(long version, String text);

	/**
	 * Whether the servers may forget the entry, as a Redis that is flushed or restarted
	 * without persistence does. Then no value does not mean that there never was one.
	 */
	default boolean mayForget() {
		return false;
	}

	/**
	 * What is in the entry.
	 *
	 * @param version grows with every write; 0 if there is nothing
	 * @param text the text that was last written
	 */
	record Value(long version, String text) {

		/** Nothing was written. */
		public static final Value ABSENT = new Value(0, "");

	}

}
