package io.idempotent.webmvc;

import io.idempotent.engine.IdempotencyGate;
import org.jspecify.annotations.Nullable;

/**
 * The services that all submissions share.
 *
 * @param gate the state machine
 * @param settings the settings of all operations
 * @param reader reads submissions from requests
 * @param classifier classifies responses, or {@code null}
 * @param authorizer authorises replays
 * @param refusals writes refusals
 */
record SubmissionServices(IdempotencyGate gate, HttpSettings settings, SubmissionReader reader,
		@Nullable OutcomeClassifier classifier, ReplayAuthorizer authorizer, IdempotencyExceptionResolver refusals) {
}
