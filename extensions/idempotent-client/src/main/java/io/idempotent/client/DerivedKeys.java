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
	 * the operation, once for each call and run, and again in a further attempt of a
	 * {@code @Retryable} method.
	 * @param purpose the name of the call within the operation, such as {@code "charge"};
	 * for several calls of a kind {@code "charge-" + item.id()}
	 * @throws IllegalStateException if no operation runs on this thread, or this run has
	 * used the purpose before; then also in further attempts of a {@code @Retryable}
	 * method
	 */
	String derive(String purpose);

}
