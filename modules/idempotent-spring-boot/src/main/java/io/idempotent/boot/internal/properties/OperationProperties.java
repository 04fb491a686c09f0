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
import io.idempotent.boot.settings.NamedSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Properties of a single operation, which take precedence over its annotation. Each
 * attribute except the receipt, the message and the compared fields has a default in
 * {@link OperationDefaults}.
 *
 * @param source Where the key of an operation comes from: a form token, a request header
 * or the content of the request.
 * @param ignoredFields Fields of its requests that are ignored when contents are
 * compared.
 * @param comparedFields The only fields of its requests that are compared.
 * @param lease How long a claim is valid without renewal.
 * @param retention How long the outcome of the operation is kept.
 * @param waitTimeout How long a duplicate waits at most for a running operation, if it
 * waits.
 * @param whenCompleted What happens to a duplicate of a completed operation.
 * @param whenInProgress What happens to a duplicate of a running operation.
 * @param whenUnknown What happens to a duplicate of an operation whose outcome is unknown
 * because its claim expired.
 * @param whenFailed What happens to the claim if the operation throws an exception or
 * responds with a 5xx status.
 * @param whenStoreFails What happens to a submission while the store is unavailable.
 * @param receipt Whether its transactions write a receipt in the guarded database.
 * @param replayErrors Error responses that are recorded and replayed, by status: 409,
 * 4xx, 5xx.
 * @param message What users are told about a submission that was made before: a text, or
 * the code of a message in braces.
 */
public record OperationProperties(@Nullable KeySource source, @Nullable List<String> ignoredFields,
		@Nullable List<String> comparedFields, @Nullable Duration lease, @Nullable Duration retention,
		@Nullable Duration waitTimeout, @Nullable WhenCompleted whenCompleted, @Nullable WhenInProgress whenInProgress,
		@Nullable WhenUnknown whenUnknown, @Nullable WhenFailed whenFailed, @Nullable WhenStoreFails whenStoreFails,
		@Nullable ReceiptMode receipt, @Nullable List<String> replayErrors, @Nullable String message) {

	/** An operation without properties. */
	public static final OperationProperties NONE = new OperationProperties(null, null, null, null, null, null, null,
			null, null, null, null, null, null, null);

	private static final String PREFIX = "idempotent.operations";

	/**
	 * Reads the properties of single operations, by the names of the operations.
	 * @param environment the environment
	 */
	public static NamedSettings<OperationProperties> in(ConfigurableEnvironment environment) {
		return new NamedSettings<>(environment, PREFIX, OperationProperties.class);
	}

	/**
	 * How the setting of an operation is written in a properties file.
	 * @param operation the name of the operation
	 * @param setting the setting
	 * @return the property, with the name in brackets if it needs them
	 */
	public static String name(String operation, String setting) {
		return NamedSettings.property(PREFIX, operation, setting);
	}

}
