package io.idempotent.administration;

import java.util.List;

/**
 * Operations whose outcome is unknown.
 *
 * @param operations the operations, newest first
 * @param complete whether there are certainly no others; {@code false} if the limit was
 * reached, or if the store does not see all of them
 */
public record UnknownOperations(List<UnknownOperation> operations, boolean complete) {
}
