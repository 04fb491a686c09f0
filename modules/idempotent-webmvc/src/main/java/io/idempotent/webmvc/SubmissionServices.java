package io.idempotent.webmvc;

import io.idempotent.engine.IdempotencyGate;

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
record SubmissionServices(IdempotencyGate gate, HttpSettings settings, SubmissionReader reader,
		OutcomeRecorder recorder, ReplayAuthorizer authorizer, IdempotencyExceptionResolver refusals) {
}
