package io.idempotent.webmvc.internal.submission;

import io.idempotent.engine.IdempotencyGate;
import io.idempotent.webmvc.ReplayAuthorizer;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.refusal.RefusalWriter;

/**
 * The services that all submissions share.
 *
 * @param gate the state machine
 * @param settings the settings of all operations
 * @param reader reads submissions from requests
 * @param recorder records outcomes
 * @param authorizer authorises replays
 * @param refusals writes refusals
 */
public record SubmissionServices(IdempotencyGate gate, HttpSettings settings, SubmissionReader reader,
		OutcomeRecorder recorder, ReplayAuthorizer authorizer, RefusalWriter refusals) {
}
