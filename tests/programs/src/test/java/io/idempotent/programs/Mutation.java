package io.idempotent.programs;

import io.idempotent.store.IdempotencyStore;

import org.springframework.context.support.GenericApplicationContext;

/**
 * What is different about the applications of a world.
 */
interface Mutation {

	/** Nothing is. */
	Mutation NONE = new Mutation() {
	};

	/**
	 * Changes an application before it starts.
	 * @param context the application
	 */
	default void change(GenericApplicationContext context) {
	}

	/**
	 * Changes what an application reaches its store with.
	 * @param store the store
	 * @return what it gets instead
	 */
	default IdempotencyStore client(IdempotencyStore store) {
		return store;
	}

}
