package io.idempotent.administration;

import java.time.Instant;

import io.idempotent.store.OperationKey;
import org.jspecify.annotations.Nullable;

/**
 * An operation whose outcome is unknown.
 *
 * @param key the operation key
 * @param operation the name of the operation; {@code null} where it is not known
 * @param claimedAt when its claim was made, by the clock of its node; {@code null} where
 * it is not known
 * @param attempt the number of that claim
 * @param node the node that made it; {@code null} where it is not known
 * @param advice what an operator can do
 */
public record UnknownOperation(OperationKey key, @Nullable String operation, @Nullable Instant claimedAt, int attempt,
		@Nullable String node, Advice advice) {
}
