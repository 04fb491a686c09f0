package io.idempotent.boot.internal.policy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

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
import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.internal.properties.OperationDefaults;
import io.idempotent.boot.internal.properties.OperationProperties;
import io.idempotent.boot.internal.properties.StoreProperties.StoreType;
import io.idempotent.boot.settings.PropertyAssertions;
import io.idempotent.logging.DurationText;
import io.idempotent.submission.policy.ComparedFields;
import io.idempotent.submission.policy.DeclaredPolicy;
import io.idempotent.submission.policy.OperationPolicies;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.submission.receipt.Receipts;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Policies of operations, with the precedence that {@code OperationAttributes} describes.
 * A property that cannot work fails with an exception that names it.
 */
public final class PropertiesOperationPolicies implements OperationPolicies {

	private static final Log logger = LogFactory.getLog(PropertiesOperationPolicies.class);

	private final OperationDefaults defaults;

	private final IdempotencyProfile profile;

	private final boolean receiptsOnly;

	private final Map<String, OperationProperties> operations;

	private final ConfigurableEnvironment environment;

	private final Supplier<@Nullable Receipts> receipts;

	private final BooleanSupplier verifierPresent;

	public PropertiesOperationPolicies(IdempotentProperties properties, ConfigurableEnvironment environment,
			Supplier<@Nullable Receipts> receipts, BooleanSupplier verifierPresent) {
		this.defaults = properties.defaults();
		this.profile = properties.web().profile();
		this.receiptsOnly = properties.store().type() == StoreType.RECEIPT;
		this.operations = properties.operations();
		this.environment = environment;
		this.receipts = receipts;
		this.verifierPresent = verifierPresent;
	}

	@Override
	public OperationPolicy policy(String operation, DeclaredPolicy declared) {
		return policy(attributes(operation), declared);
	}

	/** The values that apply to an operation, with the place where each was set. */
	public List<PolicyValue<?>> values(String operation, DeclaredPolicy declared, @Nullable ApiIdempotent annotation) {
		OperationAttributes attributes = attributes(operation);
		policy(attributes, declared);
		if (annotation != null) {
			source(attributes, annotation);
			replayErrors(attributes, annotation);
			comparedFields(attributes, annotation);
			ignoredFields(attributes, annotation);
		}
		return attributes.values();
	}

	private OperationPolicy policy(OperationAttributes attributes, DeclaredPolicy declared) {
		OperationProperties own = attributes.properties();
		Duration lease = lease(attributes, declared);
		PolicyValue<Duration> retention = attributes.duration("retention", own.retention(), declared.retention(),
				this.defaults.retention());
		PolicyValue<Duration> wait = attributes.duration("wait-timeout", own.waitTimeout(), declared.waitTimeout(),
				defaultWaitTimeout(declared, lease));
		WhenCompleted completed = attributes
			.constant("when-completed", own.whenCompleted(), declared.whenCompleted(), this.defaults.whenCompleted())
			.value();
		PolicyValue<WhenInProgress> inProgress = attributes.constant("when-in-progress", own.whenInProgress(),
				declared.whenInProgress(), defaultWhenInProgress(attributes, declared));
		requireLongEnough(retention, lease, completed);
		WhenUnknown unknown = whenUnknown(attributes, declared);
		WhenFailed failed = attributes
			.constant("when-failed", own.whenFailed(), declared.whenFailed(), this.defaults.whenFailed())
			.value();
		WhenStoreFails storeFails = attributes
			.constant("when-store-fails", own.whenStoreFails(), declared.whenStoreFails(),
					this.defaults.whenStoreFails())
			.value();
		return new OperationPolicy(attributes.operation(), lease, retention.value(), wait.value(), completed,
				inProgress.value(), unknown, failed, storeFails, writesReceipt(attributes, declared, retention), false,
				attributes.text("message", own.message(), declared.refusalMessage()).value());
	}

	private Duration lease(OperationAttributes attributes, DeclaredPolicy declared) {
		PolicyValue<Duration> lease = attributes.duration("lease", attributes.properties().lease(), declared.lease(),
				this.defaults.lease());
		if (!PropertyAssertions.isLongEnough(lease.value())) {
			throw lease.refused(PropertyAssertions.TOO_SHORT_LEASE, PropertyAssertions.LONGER_LEASE);
		}
		return lease.value();
	}

	/** The record of a burnt key is written once, by the claim. */
	private static void requireLongEnough(PolicyValue<Duration> retention, Duration lease, WhenCompleted completed) {
		if (completed == WhenCompleted.BURN && retention.value().compareTo(lease) < 0) {
			throw retention.refused("it is shorter than the lease (" + DurationText.of(lease)
					+ "), and with when-completed=burn it begins with the claim, so that the key would be free "
					+ "while the operation runs", "Make the retention longer, or choose reject");
		}
	}

	/**
	 * Duplicates of messages in progress must not be acknowledged. So they wait longer
	 * than the lease of a crashed owner before the broker redelivers them.
	 */
	private Duration defaultWaitTimeout(DeclaredPolicy declared, Duration lease) {
		return declared.redelivered() ? lease.plus(this.defaults.waitTimeout()) : this.defaults.waitTimeout();
	}

	/** A person who submits a form twice sees the response to the last submission. */
	private WhenInProgress defaultWhenInProgress(OperationAttributes attributes, DeclaredPolicy declared) {
		WhenInProgress explicit = this.defaults.whenInProgress();
		KeySource source = declared.source();
		boolean token = source != null && source(attributes, source).value() == KeySource.TOKEN;
		boolean waits = declared.redelivered() || (explicit == null && token) || explicit == WhenInProgress.WAIT;
		return waits ? WhenInProgress.WAIT : WhenInProgress.REJECT;
	}

	private WhenUnknown whenUnknown(OperationAttributes attributes, DeclaredPolicy declared) {
		PolicyValue<WhenUnknown> unknown = attributes.constant("when-unknown", attributes.properties().whenUnknown(),
				declared.whenUnknown(), this.defaults.whenUnknown());
		if (unknown.value() == WhenUnknown.ASK && unknown.place() != Place.ANNOTATION
				&& !this.verifierPresent.getAsBoolean()) {
			throw unknown.refused("there is no OutcomeVerifier bean to ask",
					"Define exactly one bean of type io.idempotent.OutcomeVerifier, or choose rerun or reject");
		}
		return unknown.value();
	}

	private boolean writesReceipt(OperationAttributes attributes, DeclaredPolicy declared,
			PolicyValue<Duration> retention) {
		Receipts kept = this.receipts.get();
		PolicyValue<ReceiptMode> mode = attributes.constant("receipt", attributes.properties().receipt(),
				declared.receipt(), (kept != null) ? ReceiptMode.ON : ReceiptMode.OFF);
		if (mode.value() == ReceiptMode.OFF) {
			return false;
		}
		if (kept == null) {
			throw mode.refused("nothing keeps receipts",
					"Set idempotent.guard.enabled=true, and add io.idempotent:idempotent-jdbc and a DataSource");
		}
		if (retention.value().compareTo(kept.retention()) > 0) {
			throw retention.refused(
					"receipts are kept for idempotent.guard.receipt.retention=" + DurationText.of(kept.retention())
							+ " only, so that a repeat after that could take effect again",
					"Set idempotent.guard.receipt.retention to at least " + DurationText.of(retention.value())
							+ ", or the retention of the operation to at most " + DurationText.of(kept.retention()));
		}
		return true;
	}

	@Override
	public KeySource source(String operation, ApiIdempotent annotation) {
		return source(attributes(operation), annotation);
	}

	private KeySource source(OperationAttributes attributes, ApiIdempotent annotation) {
		PolicyValue<KeySource> source = source(attributes, DeclaredPolicy.sourceOf(annotation));
		if (!annotation.key().isEmpty() && source.value() != KeySource.CONTENT) {
			throw source.refused("the annotation has a key expression, which makes the content the key",
					"Choose one: remove the key expression, or this source");
		}
		return source.value();
	}

	private PolicyValue<KeySource> source(OperationAttributes attributes, KeySource declared) {
		return attributes.constant("source", attributes.properties().source(), declared, this.defaults.source());
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
		return replayErrors(attributes, annotation);
	}

	private List<String> replayErrors(OperationAttributes attributes, ApiIdempotent annotation) {
		return attributes
			.list("replay-errors", attributes.properties().replayErrors(), annotation.replayErrors(),
					defaultReplayErrors(attributes, annotation))
			.value();
	}

	/**
	 * A profile applies to operations with a header key only: the token of a refused form
	 * is submitted again with other content.
	 */
	private List<String> defaultReplayErrors(OperationAttributes attributes, ApiIdempotent annotation) {
		List<String> explicit = this.defaults.replayErrors();
		if (explicit != null) {
			return explicit;
		}
		return (source(attributes, annotation) == KeySource.HEADER) ? this.profile.protocol().replayErrors()
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
		return ComparedFields.of(comparedFields(attributes, annotation), ignoredFields(attributes, annotation));
	}

	/** One of the two lists in a place overrides both lists of the places after it. */
	private List<String> comparedFields(OperationAttributes attributes, ApiIdempotent annotation) {
		OperationProperties own = attributes.properties();
		return attributes
			.list("compared-fields",
					(own.ignoredFields() != null) ? orNone(own.comparedFields()) : own.comparedFields(),
					annotation.comparedFields(), List.of())
			.value();
	}

	private List<String> ignoredFields(OperationAttributes attributes, ApiIdempotent annotation) {
		OperationProperties own = attributes.properties();
		return attributes
			.list("ignored-fields", (own.comparedFields() != null) ? orNone(own.ignoredFields()) : own.ignoredFields(),
					annotation.ignoredFields(),
					(annotation.comparedFields().length > 0) ? List.of() : this.defaults.ignoredFields())
			.value();
	}

	private static List<String> orNone(@Nullable List<String> fields) {
		return (fields != null) ? fields : List.of();
	}

	private OperationAttributes attributes(String operation) {
		return new OperationAttributes(operation, this.operations.getOrDefault(operation, OperationProperties.NONE),
				this::resolve, this.receiptsOnly);
	}

	@Override
	public String resolve(String text) {
		return this.environment.resolveRequiredPlaceholders(text);
	}

	/**
	 * Warns of settings that no annotated operation reads. A warning only: code may give
	 * the name to a template, and another application may share the configuration.
	 */
	public void warnOfUnknown(Set<String> annotated) {
		Set<String> unknown = new TreeSet<>(this.operations.keySet());
		unknown.removeAll(annotated);
		if (!unknown.isEmpty()) {
			logger.warn("idempotent.operations has settings of " + unknown + ", but the annotated operations are "
					+ new TreeSet<>(annotated)
					+ ": correct the name (one with a dot needs brackets) or remove the settings, unless code gives "
					+ "the name to an IdempotencyTemplate");
		}
	}

}
