package io.idempotent.submission.policy;

import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;

/**
 * Resolves the policies of operations: what annotations declare, properties and defaults.
 */
public interface OperationPolicies {

	/** Throws, naming the attribute, its value and the reason, if it cannot work. */
	OperationPolicy policy(String operation, DeclaredPolicy declared);

	/** Never {@link KeySource#DEFAULT}. */
	KeySource source(String operation, ApiIdempotent annotation);

	/** Statuses that are recorded and replayed, such as {@code 409} or {@code 5xx}. */
	default List<String> replayErrors(String operation, ApiIdempotent annotation) {
		return List.of(annotation.replayErrors());
	}

	/** As the annotation says, unless properties do. Throws if they are contradictory. */
	default ComparedFields fields(String operation, ApiIdempotent annotation) {
		return ComparedFields.of(List.of(annotation.comparedFields()), List.of(annotation.ignoredFields()));
	}

	String resolve(String text);

}
