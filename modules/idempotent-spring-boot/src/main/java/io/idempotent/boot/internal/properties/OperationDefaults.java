package io.idempotent.boot.internal.properties;

import java.time.Duration;
import java.util.List;

import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.settings.PropertyAssertions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Values of the attributes that an annotation does not set.
 *
 * @param source Where the key of an operation comes from: a form token, a request header
 * or the content of the request.
 * @param ignoredFields Fields of requests that are ignored when contents are compared.
 * The form fields of form token and CSRF token are always ignored.
 * @param lease How long a claim is valid without renewal.
 * @param retention How long the outcome of an operation is kept.
 * @param waitTimeout How long a duplicate waits at most for a running operation, if it
 * waits.
 * @param whenCompleted What happens to a duplicate of a completed operation.
 * @param whenInProgress What happens to a duplicate of a running operation. Defaults to
 * wait for operations with a form token, and to reject for others.
 * @param whenUnknown What happens to a duplicate of an operation whose outcome is unknown
 * because its claim expired.
 * @param whenFailed What happens to the claim if the operation throws an exception or
 * responds with a 5xx status.
 * @param whenStoreFails What happens to a submission while the store is unavailable.
 * @param replayErrors Error responses of handler methods that are recorded and replayed,
 * by status: 409, 4xx, 5xx. Defaults to those of the profile for operations with a key in
 * a header, and to none for others.
 */
public record OperationDefaults(@DefaultValue("token") KeySource source, @DefaultValue List<String> ignoredFields,
		@DefaultValue("30s") Duration lease, @DefaultValue("24h") Duration retention,
		@DefaultValue("5s") Duration waitTimeout, @DefaultValue("replay") WhenCompleted whenCompleted,
		@Nullable WhenInProgress whenInProgress, @DefaultValue("rerun") WhenUnknown whenUnknown,
		@DefaultValue("release") WhenFailed whenFailed, @DefaultValue("reject") WhenStoreFails whenStoreFails,
		@Nullable List<String> replayErrors) {

	public OperationDefaults {
		PropertyAssertions.decided("idempotent.defaults.source", source, KeySource.DEFAULT);
		PropertyAssertions.lease("idempotent.defaults.lease", lease);
		PropertyAssertions.positive("idempotent.defaults.retention", retention);
		PropertyAssertions.positive("idempotent.defaults.wait-timeout", waitTimeout);
		PropertyAssertions.decided("idempotent.defaults.when-completed", whenCompleted, WhenCompleted.DEFAULT);
		if (whenInProgress != null) {
			PropertyAssertions.decided("idempotent.defaults.when-in-progress", whenInProgress, WhenInProgress.DEFAULT);
		}
		PropertyAssertions.decided("idempotent.defaults.when-unknown", whenUnknown, WhenUnknown.DEFAULT);
		PropertyAssertions.decided("idempotent.defaults.when-failed", whenFailed, WhenFailed.DEFAULT);
		PropertyAssertions.decided("idempotent.defaults.when-store-fails", whenStoreFails, WhenStoreFails.DEFAULT);
		if (replayErrors != null) {
			PropertyAssertions.errorStatuses("idempotent.defaults.replay-errors", replayErrors);
		}
	}

}
