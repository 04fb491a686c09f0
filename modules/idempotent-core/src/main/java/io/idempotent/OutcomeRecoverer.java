package io.idempotent;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the answer of an operation that took effect and whose answer was not stored:
 * its process died between the commit and the record, or the record was lost later. A
 * bean of the application, named by the annotation of its operation.
 *
 * <p>
 * Called in place of the method, by the thread of the duplicate, with the arguments of
 * the duplicate. It must have no effect, and may be called more than once. Its result is
 * treated as if the method had returned it, and stored for further duplicates. If it is
 * empty, or the recoverer throws, the duplicate is refused as
 * {@code response-unavailable}; the operation never runs again.
 */
@FunctionalInterface
public interface OutcomeRecoverer {

	/**
	 * Rebuilds an answer.
	 * @return what its method would have returned (any object if it returns nothing), or
	 * empty if that cannot be rebuilt
	 */
	Optional<?> recover(EffectiveOperation operation);

	/**
	 * An operation that took effect.
	 *
	 * @param key the operation key, as {@link IdempotencyContext#key()} returned it when
	 * it ran
	 * @param keyValue the token, header value or content key as the caller sent it; data
	 * from outside
	 * @param arguments the arguments of the duplicate
	 */
	record EffectiveOperation(String operation, String key, String keyValue, List<@Nullable Object> arguments) {
	}

}
