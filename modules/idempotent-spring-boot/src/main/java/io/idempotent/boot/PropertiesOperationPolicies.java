package io.idempotent.boot;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.ReceiptMode;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.PolicyValue.Place;
import io.idempotent.engine.ComparedFields;
import io.idempotent.engine.DeclaredPolicy;
import io.idempotent.engine.OperationPolicies;
import io.idempotent.engine.OperationPolicy;
import io.idempotent.engine.Receipts;
import io.idempotent.logging.DurationText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.origin.Origin;

/**
 * Fills in what an annotation leaves open: the operation's own properties win, then the
 * annotation, then the defaults. What a property says and cannot work is refused with an
 * {@link InvalidConfigurationException} that names the property.
 */
final class PropertiesOperationPolicies implements OperationPolicies {

	private static final Log logger = LogFactory.getLog(PropertiesOperationPolicies.class);

	private final OperationDefaults defaults;

	private final OperationSettings operations;

	private final UnaryOperator<String> placeholders;

	private final Supplier<@Nullable Receipts> receipts;

	private final BooleanSupplier verifierPresent;

	PropertiesOperationPolicies(OperationDefaults defaults, OperationSettings operations,
			UnaryOperator<String> placeholders, Supplier<@Nullable Receipts> receipts,
			BooleanSupplier verifierPresent) {
		this.defaults = defaults;
		this.operations = operations;
		this.placeholders = placeholders;
		this.receipts = receipts;
		this.verifierPresent = verifierPresent;
	}

	@Override
	public OperationPolicy policy(String operation, DeclaredPolicy declared) {
		OperationProperties own = this.operations.of(operation);
		PolicyValue<Duration> lease = time(operation, "lease", own.lease(), declared.lease(), this.defaults.lease());
		if (!PropertyAssertions.isLongEnough(lease.value())) {
			throw lease.refused(PropertyAssertions.TOO_SHORT_LEASE, "Give " + PropertyAssertions.LONGER_LEASE);
		}
		requireCountable(lease);
		PolicyValue<Duration> retention = retention(operation, own, declared, lease);
		PolicyValue<Duration> wait = time(operation, "wait-timeout", own.waitTimeout(), declared.waitTimeout(),
				waitTimeout(declared, lease.value()));
		requireCountable(wait);
		return new OperationPolicy(operation, lease.value(), retention.value(), wait.value(),
				choose(own.whenCompleted(), declared.whenCompleted(), WhenCompleted.DEFAULT,
						this.defaults.whenCompleted()),
				choose(own.whenInProgress(), declared.whenInProgress(), WhenInProgress.DEFAULT,
						declared.message() ? WhenInProgress.WAIT : this.defaults.whenInProgress()),
				whenUnknown(operation, own, declared),
				choose(own.whenFailed(), declared.whenFailed(), WhenFailed.DEFAULT, this.defaults.whenFailed()),
				choose(own.whenStoreFails(), declared.whenStoreFails(), WhenStoreFails.DEFAULT,
						this.defaults.whenStoreFails()),
				leavesReceipt(find(operation, "receipt", own.receipt(), declared.receipt(), ReceiptMode.DEFAULT,
						ReceiptMode.DEFAULT), retention),
				false);
	}

	private PolicyValue<Duration> retention(String operation, OperationProperties own, DeclaredPolicy declared,
			PolicyValue<Duration> lease) {
		PolicyValue<Duration> retention = time(operation, "retention", own.retention(), declared.retention(),
				this.defaults.retention());
		if (retention.value().compareTo(lease.value()) < 0) {
			boolean tooShort = retention.isAsCloseAs(lease);
			throw (tooShort ? retention : lease)
				.refused((tooShort ? "it is shorter than its lease (" + DurationText.of(lease.value())
						: "it is longer than its retention (" + DurationText.of(retention.value()))
						+ "), so that an unknown outcome could not be distinguished from an operation that never ran",
						"Make the retention longer or the lease shorter");
		}
		return retention;
	}

	private WhenUnknown whenUnknown(String operation, OperationProperties own, DeclaredPolicy declared) {
		PolicyValue<WhenUnknown> unknown = find(operation, "when-unknown", own.whenUnknown(), declared.whenUnknown(),
				WhenUnknown.DEFAULT, this.defaults.whenUnknown());
		if (unknown.value() == WhenUnknown.ASK && unknown.place() != Place.ANNOTATION
				&& !this.verifierPresent.getAsBoolean()) {
			throw unknown.refused("there is no OutcomeVerifier bean to ask",
					"Define exactly one bean of type io.idempotent.OutcomeVerifier, or choose rerun or reject");
		}
		return unknown.value();
	}

	private boolean leavesReceipt(PolicyValue<ReceiptMode> mode, PolicyValue<Duration> retention) {
		Receipts kept = this.receipts.get();
		if (kept == null) {
			if (mode.value() == ReceiptMode.ON) {
				throw mode.refused("nothing keeps receipts",
						"Set idempotent.guard.enabled=true, with a DataSource and spring-boot-jdbc");
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

	/**
	 * The duplicate of a message that another consumer works on must not be acknowledged.
	 * So it waits longer than the lease of an owner that has crashed, before it is handed
	 * back to be delivered again.
	 */
	private Duration waitTimeout(DeclaredPolicy declared, Duration lease) {
		return declared.message() ? lease.plus(this.defaults.waitTimeout()) : this.defaults.waitTimeout();
	}

	@Override
	public KeySource source(String operation, ApiIdempotent annotation) {
		KeySource own = this.operations.of(operation).source();
		boolean keyed = !annotation.key().isEmpty();
		PolicyValue<KeySource> source = find(operation, "source", own, annotation.value(), KeySource.DEFAULT,
				keyed ? KeySource.CONTENT : this.defaults.source());
		if (keyed && source.value() != KeySource.CONTENT) {
			throw source.refused("the annotation has a key expression, which makes the content the key",
					"Choose one: remove the key expression, or this source");
		}
		return source.value();
	}

	@Override
	public List<String> replayErrors(String operation, ApiIdempotent annotation) {
		List<String> own = this.operations.of(operation).replayErrors();
		if (own != null) {
			own.stream()
				.filter((status) -> !PropertyAssertions.isErrorStatus(status))
				.findFirst()
				.ifPresent((status) -> {
					throw PolicyValue.ofProperty(status, operation, "replay-errors", origin(operation, "replay-errors"))
						.refused(PropertyAssertions.NO_ERROR_STATUS, PropertyAssertions.ERROR_STATUSES);
				});
			return own;
		}
		return (annotation.replayErrors().length > 0) ? List.of(annotation.replayErrors())
				: this.defaults.replayErrors();
	}

	@Override
	public ComparedFields fields(String operation, ApiIdempotent annotation) {
		OperationProperties own = this.operations.of(operation);
		List<String> compared = orNone(own.comparedFields());
		List<String> ignored = orNone(own.ignoredFields());
		if (!compared.isEmpty() && !ignored.isEmpty()) {
			throw PolicyValue
				.ofProperty(String.join(",", compared), operation, "compared-fields",
						origin(operation, "compared-fields"))
				.refused(OperationSettings.property(operation, "ignored-fields") + " is set as well, to "
						+ String.join(",", ignored), "Set one of the two");
		}
		if (own.comparedFields() != null || own.ignoredFields() != null) {
			return ComparedFields.of(compared, ignored);
		}
		if (annotation.comparedFields().length > 0 || annotation.ignoredFields().length > 0) {
			return ComparedFields.of(List.of(annotation.comparedFields()), List.of(annotation.ignoredFields()));
		}
		return ComparedFields.of(List.of(), this.defaults.ignoredFields());
	}

	private static List<String> orNone(@Nullable List<String> fields) {
		return (fields != null) ? fields : List.of();
	}

	@Override
	public String resolve(String text) {
		return this.placeholders.apply(text);
	}

	/**
	 * Warns of settings that no operation reads. A warning only: their operation may be
	 * mapped later, run by a template, or in another application that shares the
	 * configuration.
	 * @param known the names of all annotated operations
	 */
	void warnOfUnknownOperations(Set<String> known) {
		Set<String> unknown = this.operations.unknown(known);
		if (!unknown.isEmpty()) {
			logger.warn("No annotated operation has the name and the setting in " + unknown
					+ ". Settings of the operations are written as "
					+ known.stream().sorted().map((name) -> OperationSettings.property(name, "<setting>")).toList()
					+ " with one of the settings " + OperationSettings.SETTINGS
					+ ": correct or remove the property, unless code gives the name to an IdempotencyTemplate");
		}
	}

	private PolicyValue<Duration> time(String operation, String attribute, @Nullable Duration own, String declared,
			Duration byDefault) {
		PolicyValue<Duration> time;
		String text = (own != null) ? "" : this.placeholders.apply(declared);
		if (own != null) {
			time = PolicyValue.ofProperty(own, operation, attribute, origin(operation, attribute));
		}
		else if (!text.isEmpty()) {
			time = PolicyValue.ofAnnotation(parse(attribute, text), '"' + text + '"', operation, attribute);
		}
		else {
			time = PolicyValue.ofDefaults(byDefault, operation, attribute);
		}
		if (!PropertyAssertions.isPositive(time.value())) {
			throw time.refused("it must be positive", "Give a time such as 30s");
		}
		return time;
	}

	private static Duration parse(String attribute, String text) {
		try {
			return DurationStyle.detectAndParse(text);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw new IllegalArgumentException(
					"its " + attribute + " \"" + text + "\" is not a duration: write it as 300ms, 30s or 24h", ex);
		}
	}

	private static void requireCountable(PolicyValue<Duration> time) {
		if (!PropertyAssertions.isAtMostAYear(time.value())) {
			throw time.refused(PropertyAssertions.LONGER_THAN_A_YEAR, "Give a time such as 30s");
		}
	}

	private <E extends Enum<E>> PolicyValue<E> find(String operation, String attribute, @Nullable E own, E declared,
			E undecided, E byDefault) {
		if (own != null && own != undecided) {
			return PolicyValue.ofProperty(own, operation, attribute, origin(operation, attribute));
		}
		return (declared != undecided) ? PolicyValue.ofAnnotation(declared, declared.name(), operation, attribute)
				: PolicyValue.ofDefaults(byDefault, operation, attribute);
	}

	private @Nullable Origin origin(String operation, String attribute) {
		return this.operations.origin(operation, attribute);
	}

	private static <E extends Enum<E>> E choose(@Nullable E own, E declared, E undecided, E byDefault) {
		if (own != null && own != undecided) {
			return own;
		}
		return (declared != undecided) ? declared : byDefault;
	}

}
