package io.idempotent.programs;

import java.time.Duration;

import io.idempotent.store.IdempotencyStore;

/**
 * A store that both nodes have.
 */
interface ProgramStore extends AutoCloseable {

	/**
	 * What a node reaches it with.
	 * @param node which one
	 * @return its client
	 */
	IdempotencyStore client(int node);

	/** It forgets everything. */
	void flush();

	/** It cannot be reached, or can again. */
	void away(boolean now);

	/** Time passes there. */
	void pass(Duration time);

	@Override
	void close();

}
