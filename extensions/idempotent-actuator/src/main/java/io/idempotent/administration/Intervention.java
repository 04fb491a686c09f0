package io.idempotent.administration;

import java.time.Instant;

import io.idempotent.store.OperationKey;
import io.idempotent.store.Settlement;
import org.jspecify.annotations.Nullable;

/**
 * What an operator has done. Published as an event of the application, and written to the
 * log {@code io.idempotent.audit}.
 *
 * @param operation the name of the operation; {@code null} if it is not known
 * @param by the operator
 * @param forced whether the lease of the owner had not ended
 */
public record Intervention(Instant time, Settlement.Kind action, OperationKey key, @Nullable String operation,
		String by, String reason, boolean forced) {
}
