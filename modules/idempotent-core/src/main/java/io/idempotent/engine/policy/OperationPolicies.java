package io.idempotent.engine.policy;

import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;

/**
 * Resolves the policies of operations: what annotations declare, properties and defaults.
 */
public interface OperationPolicies {

	/**
	 * The policy of an operation.
	 * @param operation the name of the operation
	 * @param declared what its annotation declares
	 * @throws IllegalArgumentException naming the attribute, its value and the reason, if
	 * it cannot work
	 */
	OperationPolicy policy(String operation, DeclaredPolicy declared);

	/**
	 * The key source of an operation.
	 * @param operation the name of the operation
	 * @param annotation its annotation
	 * @return the source, never {@link KeySource#DEFAULT}
	 */
	KeySource source(String operation, ApiIdempotent annotation);

	/**
	 * The errors of an operation that are recorded and replayed.
	 * @param operation the name of the operation
	 * @param annotation its annotation
	 * @return their statuses, such as {@code 409} or {@code 5xx}
	 */
	default List<String> replayErrors(String operation, ApiIdempotent annotation) {
		return List.of(annotation.replayErrors());
	}

	/**
	 * Which fields of a request to an operation are compared: as its annotation says,
	 * unless properties say otherwise.
	 * @param operation the name of the operation
	 * @param annotation its annotation
	 * @throws IllegalArgumentException naming the attributes, if they contradict one
	 * another
	 */
	default ComparedFields fields(String operation, ApiIdempotent annotation) {
		return ComparedFields.of(List.of(annotation.comparedFields()), List.of(annotation.ignoredFields()));
	}

	/**
	 * Resolves the placeholders in a text attribute.
	 * @param text the text
	 * @return the text without placeholders
	 */
	String resolve(String text);

}
