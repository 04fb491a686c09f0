package io.idempotent.client;

/**
 * Derives keys for calls from the operation that the application itself is running, so
 * that a run of the operation that is repeated makes the same calls again. The starter
 * defines a bean of this type.
 */
@FunctionalInterface
public interface DerivedKeys {

	/**
	 * The key of one call that the running operation makes. It is the same in every run
	 * of that operation, and different for each purpose. Call it on the thread that runs
	 * the operation, once for each call and run: outside of a method that is retried.
	 * @param purpose the name of the call within the operation, such as {@code "charge"};
	 * for several calls of a kind {@code "charge-" + item.id()}
	 * @throws IllegalStateException if no operation runs on this thread, or this run has
	 * used the purpose before
	 */
	String derive(String purpose);

}
