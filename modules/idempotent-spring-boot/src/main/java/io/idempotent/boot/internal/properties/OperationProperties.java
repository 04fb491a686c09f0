package io.idempotent.boot.internal.properties;

import java.time.Duration;
import java.util.List;

import io.idempotent.KeySource;
import io.idempotent.ReceiptMode;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.settings.PropertyAssertions;
import org.jspecify.annotations.Nullable;

/**
 * Properties of a single operation, which take precedence over its annotation. They have
 * the meanings of {@link OperationDefaults}; the receipt, the message and the only fields
 * that are compared have no default there.
 */
public record OperationProperties(@Nullable KeySource source, @Nullable List<String> ignoredFields,
		@Nullable List<String> comparedFields, @Nullable Duration lease, @Nullable Duration retention,
		@Nullable Duration waitTimeout, @Nullable WhenCompleted whenCompleted, @Nullable WhenInProgress whenInProgress,
		@Nullable WhenUnknown whenUnknown, @Nullable WhenFailed whenFailed, @Nullable WhenStoreFails whenStoreFails,
		@Nullable ReceiptMode receipt, @Nullable List<String> replayErrors, @Nullable String message) {

	public static final OperationProperties NONE = new OperationProperties(null, null, null, null, null, null, null,
			null, null, null, null, null, null, null);

	/** The property of a setting, with the operation in brackets if it needs them. */
	public static String name(String operation, String setting) {
		return PropertyAssertions.property("idempotent.operations", operation, setting);
	}

}
