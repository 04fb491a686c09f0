package io.idempotent.applications;

/**
 * The answer to a submission.
 *
 * @param body its body
 * @param replayed whether it says that it is a stored one
 */
record Answer(String body, boolean replayed) {
}
