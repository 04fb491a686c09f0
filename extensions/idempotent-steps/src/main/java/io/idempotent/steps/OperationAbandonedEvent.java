package io.idempotent.steps;

import io.idempotent.store.OperationKey;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Resumable} operation has failed too often, and is not called again. Published
 * to {@code @EventListener} methods of the node that has noticed it, on a background
 * thread. If that node dies at this moment, nobody is told; the operation is listed by
 * {@link StepAdministration#unfinished(int)} in any case.
 *
 * @param key its key
 * @param operation its name
 * @param resumptions how often it was called again
 * @param error what it has thrown last, for operators; {@code null} if its process died
 */
public record OperationAbandonedEvent(OperationKey key, String operation, int resumptions, @Nullable String error) {
}
