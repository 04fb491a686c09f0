package io.idempotent.steps.internal;

import java.time.Duration;

import io.idempotent.steps.WhenChanged;
import io.idempotent.store.RecordEncryption;

/**
 * How steps are kept.
 *
 * @param namespace of the application: another one may have operations of the same name
 * @param node the name of this node, for operators
 * @param retention how long an operation is kept after its last attempt began
 * @param timeout how long a statement outside of the steps' transactions may take, in
 * whole seconds
 * @param maxResult the longest result in bytes
 * @param resumeAfter when an operation that was interrupted is called again first
 * @param maxAttempts how often it is called again at most
 * @param encryption encrypts results and arguments
 */
public record StepSettings(String namespace, String node, Duration retention, Duration timeout, int maxResult,
		WhenChanged whenChanged, Duration resumeAfter, int maxAttempts, RecordEncryption encryption) {
}
