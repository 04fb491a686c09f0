package io.idempotent.boot.internal.policy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyProfile;
import io.idempotent.KeySource;
import io.idempotent.ReceiptMode;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.internal.policy.PolicyValue.Place;
import io.idempotent.boot.internal.properties.OperationDefaults;
import io.idempotent.boot.internal.properties.OperationProperties;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.boot.settings.NamedSettings;
import io.idempotent.boot.settings.PropertyAssertions;
import io.idempotent.engine.policy.ComparedFields;
import io.idempotent.engine.policy.DeclaredPolicy;
import io.idempotent.engine.policy.OperationPolicies;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.engine.receipt.Receipts;
import io.idempotent.logging.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Policies of operations from properties and annotations: the properties of the operation
 * take precedence over the annotation, and the annotation over the defaults. A property
 * that cannot work fails with an {@link InvalidConfigurationException} that names it.
 */
public final class PropertiesOperationPolicies implements OperationPolicies {

	private final OperationDefaults defaults;

	private final IdempotencyProfile profile;

	private final NamedSettings<OperationProperties> operations;

	private final UnaryOperator<String> placeholders;

	private final Supplier<@Nullable Receipts> receipts;

	private final BooleanSupplier verifierPresent;

	private final OperationSettingsWarning warning;

	public PropertiesOperationPolicies(OperationDefaults defaults, IdempotencyProfile profile,
			NamedSettings<OperationProperties> operations, UnaryOperator<String> placeholders,
			Supplier<@Nullable Receipts> receipts, BooleanSupplier verifierPresent) {
		this.defaults = defaults;
		this.profile = profile;
		this.operations = operations;
		this.warning = new OperationSettingsWarning(operations);
		this.placeholders = placeholders;
		this.receipts = receipts;
		this.verifierPresent = verifierPresent;
	}

	@Override
	public OperationPolicy policy(String operation, DeclaredPolicy declared) {
		ResolvedPolicy resolved = resolve(operation, declared);
		this.warning.waitTimeout(resolved.waitTimeout(), resolved.whenInProgress());
		return resolved.policy(operation);
	}

	/**
	 * Determines the policy of an operation, and where each of its values was set.
	 * @param operation the name of the operation
	 * @param declared what its annotation declares
	 */
	ResolvedPolicy resolve(String operation, DeclaredPolicy declared) {
		OperationAttributes attributes = attributes(operation);
		OperationProperties own = attributes.properties();
		PolicyValue<Duration> lease = lease(attributes, declared);
		PolicyValue<Duration> retention = attributes.duration("retention", own.retention(), declared.retention(),
				this.defaults.retention());
		PolicyValue<Duration> wait = attributes.durationUpToAYear("wait-timeout", own.waitTimeout(),
				declared.waitTimeout(), defaultWaitTimeout(declared, lease.value()));
		PolicyValue<WhenInProgress> inProgress = attributes.constant("when-in-progress", own.whenInProgress(),
				declared.whenInProgress(), declared.message() ? WhenInProgress.WAIT : this.defaults.whenInProgress());
		PolicyValue<WhenCompleted> completed = attributes.constant("when-completed", own.whenCompleted(),
				declared.whenCompleted(), this.defaults.whenCompleted());
		requireLongEnough(retention, lease.value(), completed.value());
		PolicyValue<WhenUnknown> unknown = whenUnknown(attributes, declared);
		PolicyValue<WhenFailed> failed = attributes.constant("when-failed", own.whenFailed(), declared.whenFailed(),
				this.defaults.whenFailed());
		PolicyValue<WhenStoreFails> storeFails = attributes.constant("when-store-fails", own.whenStoreFails(),
				declared.whenStoreFails(), this.defaults.whenStoreFails());
		PolicyValue<ReceiptMode> receipt = attributes.constant("receipt", own.receipt(), declared.receipt(),
				ReceiptMode.DEFAULT);
		return new ResolvedPolicy(lease, retention, wait, completed, inProgress, unknown, failed, storeFails, receipt,
				writesReceipt(receipt, retention),
				attributes.text("message", own.message(), declared.refusalMessage()));
	}

	private PolicyValue<Duration> lease(OperationAttributes attributes, DeclaredPolicy declared) {
		PolicyValue<Duration> lease = attributes.durationUpToAYear("lease", attributes.properties().lease(),
				declared.lease(), this.defaults.lease());
		if (!PropertyAssertions.isLongEnough(lease.value())) {
			throw lease.refused(PropertyAssertions.TOO_SHORT_LEASE, "Give " + PropertyAssertions.LONGER_LEASE);
		}
		return lease;
	}

	/**
	 * The record of a burnt key is written once, by the claim.
	 */
	private static void requireLongEnough(PolicyValue<Duration> retention, Duration lease, WhenCompleted completed) {
		if (completed == WhenCompleted.BURN && retention.value().compareTo(lease) < 0) {
			throw retention.refused("it is shorter than the lease (" + DurationText.of(lease)
					+ "), and with when-completed=burn it begins with the claim, so that the key would be free "
					+ "while the operation runs", "Make the retention longer, or choose reject");
		}
	}

	/**
	 * Duplicates of messages in progress must not be acknowledged. So they wait longer
	 * than the lease of a crashed owner before they are returned to the broker for
	 * redelivery.
	 */
	private Duration defaultWaitTimeout(DeclaredPolicy declared, Duration lease) {
		return declared.message() ? lease.plus(this.defaults.waitTimeout()) : this.defaults.waitTimeout();
	}

	private PolicyValue<WhenUnknown> whenUnknown(OperationAttributes attributes, DeclaredPolicy declared) {
		PolicyValue<WhenUnknown> unknown = attributes.constant("when-unknown", attributes.properties().whenUnknown(),
				declared.whenUnknown(), this.defaults.whenUnknown());
		if (unknown.value() == WhenUnknown.ASK && unknown.place() != Place.ANNOTATION
				&& !this.verifierPresent.getAsBoolean()) {
			throw unknown.refused("there is no OutcomeVerifier bean to ask",
					"Define exactly one bean of type io.idempotent.OutcomeVerifier, or choose rerun or reject");
		}
		return unknown;
	}

	private boolean writesReceipt(PolicyValue<ReceiptMode> mode, PolicyValue<Duration> retention) {
		Receipts kept = this.receipts.get();
		if (kept == null) {
			if (mode.value() == ReceiptMode.ON) {
				throw mode.refused("nothing keeps receipts",
						"Set idempotent.guard.enabled=true, and add io.idempotent:idempotent-jdbc and a DataSource");
			}
			return false;
		}
		if (mode.value() != ReceiptMode.OFF && retention.value().compareTo(kept.retention()) > 0) {
			throw retention.refused(
					"receipts are kept for idempotent.guard.receipt.retention=" + DurationText.of(kept.retention())
							+ " only, so that a repeat after that could take effect again",
					"Set idempotent.guard.receipt.retention to at least " + DurationText.of(retention.value())
							+ ", or the retention of the operation to at most " + DurationText.of(kept.retention()));
		}
		return mode.value() != ReceiptMode.OFF;
	}

	@Override
	public KeySource source(String operation, ApiIdempotent annotation) {
		this.warning.request(operation);
		return keySource(operation, annotation).value();
	}

	/**
	 * Determines the key source of an operation, and where it was set.
	 */
	PolicyValue<KeySource> keySource(String operation, ApiIdempotent annotation) {
		boolean keyed = !annotation.key().isEmpty();
		OperationAttributes attributes = attributes(operation);
		PolicyValue<KeySource> source = attributes.constant("source", attributes.properties().source(),
				annotation.value(), keyed ? KeySource.CONTENT : this.defaults.source());
		if (keyed && source.value() != KeySource.CONTENT) {
			throw source.refused("the annotation has a key expression, which makes the content the key",
					"Choose one: remove the key expression, or this source");
		}
		return source;
	}

	@Override
	public List<String> replayErrors(String operation, ApiIdempotent annotation) {
		OperationAttributes attributes = attributes(operation);
		orNone(attributes.properties().replayErrors()).stream()
			.filter((status) -> !PropertyAssertions.isErrorStatus(status))
			.findFirst()
			.ifPresent((status) -> {
				throw attributes.ofProperty(status, "replay-errors")
					.refused(PropertyAssertions.NO_ERROR_STATUS, PropertyAssertions.ERROR_STATUSES);
			});
		return replayedErrors(operation, annotation).value();
	}

	/**
	 * Determines the errors of an operation that are replayed, and where they were set.
	 */
	PolicyValue<List<String>> replayedErrors(String operation, ApiIdempotent annotation) {
		OperationAttributes attributes = attributes(operation);
		return attributes.list("replay-errors", attributes.properties().replayErrors(), annotation.replayErrors(),
				defaultReplayErrors(operation, annotation));
	}

	/**
	 * A profile applies to operations with a header key only: the token of a refused form
	 * is submitted again with other content.
	 */
	private List<String> defaultReplayErrors(String operation, ApiIdempotent annotation) {
		List<String> explicit = this.defaults.replayErrors();
		if (explicit != null) {
			return explicit;
		}
		return (keySource(operation, annotation).value() == KeySource.HEADER) ? this.profile.protocol().replayErrors()
				: List.of();
	}

	@Override
	public ComparedFields fields(String operation, ApiIdempotent annotation) {
		OperationAttributes attributes = attributes(operation);
		List<String> compared = orNone(attributes.properties().comparedFields());
		List<String> ignored = orNone(attributes.properties().ignoredFields());
		if (!compared.isEmpty() && !ignored.isEmpty()) {
			throw attributes.ofProperty(String.join(",", compared), "compared-fields")
				.refused(OperationProperties.name(operation, "ignored-fields") + " is set as well, to "
						+ String.join(",", ignored), "Set one of the two");
		}
		return ComparedFields.of(comparedFields(operation, annotation).value(),
				ignoredFields(operation, annotation).value());
	}

	/**
	 * Determines the only fields of an operation that are compared, and where they were
	 * set. One of the two lists in a place overrides both lists of the places after it.
	 */
	PolicyValue<List<String>> comparedFields(String operation, ApiIdempotent annotation) {
		OperationAttributes attributes = attributes(operation);
		OperationProperties own = attributes.properties();
		return attributes.list("compared-fields",
				(own.ignoredFields() != null) ? orNone(own.comparedFields()) : own.comparedFields(),
				annotation.comparedFields(), List.of());
	}

	/**
	 * Determines the ignored fields of an operation, and where they were set.
	 */
	PolicyValue<List<String>> ignoredFields(String operation, ApiIdempotent annotation) {
		OperationAttributes attributes = attributes(operation);
		OperationProperties own = attributes.properties();
		return attributes.list("ignored-fields",
				(own.comparedFields() != null) ? orNone(own.ignoredFields()) : own.ignoredFields(),
				annotation.ignoredFields(),
				(annotation.comparedFields().length > 0) ? List.of() : this.defaults.ignoredFields());
	}

	private static List<String> orNone(@Nullable List<String> fields) {
		return (fields != null) ? fields : List.of();
	}

	private OperationAttributes attributes(String operation) {
		return new OperationAttributes(operation, this.operations, this.placeholders);
	}

	@Override
	public String resolve(String text) {
		return this.placeholders.apply(text);
	}

	/**
	 * Warns of settings that no operation reads, or that have no effect.
	 * @param known the names of all annotated operations
	 */
	public void warn(Set<String> known) {
		this.warning.log(known);
	}

}
