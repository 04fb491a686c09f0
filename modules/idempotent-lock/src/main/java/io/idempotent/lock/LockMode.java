package io.idempotent.lock;

/**
 * Whether the holder of a lock shares it.
 */
public enum LockMode {

	/** Shared with all other readers, never with a writer. */
	READ,

	/** Exclusive: neither readers nor writers hold the lock at the same time. */
	WRITE

}
