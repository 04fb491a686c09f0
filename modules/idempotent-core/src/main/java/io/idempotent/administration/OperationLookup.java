package io.idempotent.administration;

import java.util.List;

/**
 * The result of a search by the beginning of a key.
 *
 * @param records the operations that were found
 * @param complete whether there are certainly no others; {@code false} if the search was
 * given up, or found more than it returns
 */
public record OperationLookup(List<OperationRecord> records, boolean complete) {
}
