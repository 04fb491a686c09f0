package io.idempotent.webmvc.internal.submission;

import io.idempotent.engine.IdempotencyGate;
import io.idempotent.webmvc.OutcomeClassifier;
import io.idempotent.webmvc.ReplayAuthorizer;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.refusal.RefusalWriter;
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
public record SubmissionServices(IdempotencyGate gate, HttpSettings settings, SubmissionReader reader,
		@Nullable OutcomeClassifier classifier, ReplayAuthorizer authorizer, RefusalWriter refusals) {
}
