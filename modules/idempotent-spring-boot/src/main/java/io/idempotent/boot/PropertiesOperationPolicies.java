package io.idempotent.boot;

import java.time.Duration;
import java.util.List;
import java.util.Set;
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
import io.idempotent.boot.IdempotentProperties.Defaults;
import io.idempotent.engine.ComparedFields;
import io.idempotent.engine.DeclaredPolicy;
import io.idempotent.engine.OperationPolicies;
import io.idempotent.engine.OperationPolicy;
import io.idempotent.engine.Receipts;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;

/**
 * Fills in what an annotation leaves open: the operation's own properties win, then the
 * annotation, then the defaults.
 */
final class PropertiesOperationPolicies implements OperationPolicies {

	private static final Log logger = LogFactory.getLog(PropertiesOperationPolicies.class);

	private final Defaults defaults;

	private final OperationSettings operations;

	private final UnaryOperator<String> placeholders;

	private final Supplier<@Nullable Receipts> receipts;

	PropertiesOperationPolicies(Defaults defaults, OperationSettings operations, UnaryOperator<String> placeholders,
			Supplier<@Nullable Receipts> receipts) {
		this.defaults = defaults;
		this.operations = operations;
		this.placeholders = placeholders;
		this.receipts = receipts;
	}

	@Override
	public OperationPolicy policy(String operation, DeclaredPolicy declared) {
		OperationProperties own = this.operations.of(operation);
		Duration lease = time(operation, "lease", own.lease(), declared.lease(), this.defaults.lease());
		Duration retention = time(operation, "retention", own.retention(), declared.retention(),
				this.defaults.retention());
		return new OperationPolicy(operation, lease, retention,
				time(operation, "wait-timeout", own.waitTimeout(), declared.waitTimeout(),
						waitTimeout(declared, lease)),
				choose(own.whenCompleted(), declared.whenCompleted(), WhenCompleted.DEFAULT,
						this.defaults.whenCompleted()),
				choose(own.whenInProgress(), declared.whenInProgress(), WhenInProgress.DEFAULT,
						declared.message() ? WhenInProgress.WAIT : this.defaults.whenInProgress()),
				choose(own.whenUnknown(), declared.whenUnknown(), WhenUnknown.DEFAULT, this.defaults.whenUnknown()),
				choose(own.whenFailed(), declared.whenFailed(), WhenFailed.DEFAULT, this.defaults.whenFailed()),
				choose(own.whenStoreFails(), declared.whenStoreFails(), WhenStoreFails.DEFAULT,
						this.defaults.whenStoreFails()),
				leavesReceipt(choose(own.receipt(), declared.receipt(), ReceiptMode.DEFAULT, ReceiptMode.DEFAULT),
						retention),
				false);
	}

	private boolean leavesReceipt(ReceiptMode mode, Duration retention) {
		Receipts kept = this.receipts.get();
		if (kept == null) {
			if (mode == ReceiptMode.ON) {
				throw new IllegalArgumentException("its receipt is ON, but nothing keeps receipts: set "
						+ "idempotent.guard.enabled=true, with a DataSource and spring-boot-jdbc");
			}
			return false;
		}
		if (mode != ReceiptMode.OFF && retention.compareTo(kept.retention()) > 0) {
			throw new IllegalArgumentException("its retention is " + retention
					+ ", but its receipts are kept for idempotent.guard.receipt.retention=" + kept.retention()
					+ " only: make that at least as long");
		}
		return mode != ReceiptMode.OFF;
	}

	/**
	 * The duplicate of a message that somebody works on must not be acknowledged. So it
	 * outwaits a dead owner, before it is handed back to be delivered again.
	 */
	private Duration waitTimeout(DeclaredPolicy declared, Duration lease) {
		return declared.message() ? lease.plus(this.defaults.waitTimeout()) : this.defaults.waitTimeout();
	}

	@Override
	public KeySource source(String operation, ApiIdempotent annotation) {
		KeySource own = this.operations.of(operation).source();
		if (annotation.key().isEmpty()) {
			return choose(own, annotation.value(), KeySource.DEFAULT, this.defaults.source());
		}
		KeySource declared = choose(own, annotation.value(), KeySource.DEFAULT, KeySource.CONTENT);
		if (declared != KeySource.CONTENT) {
			throw new IllegalArgumentException("it has a key expression, which makes the content its key, and "
					+ declared + " as the source of its key: choose one");
		}
		return declared;
	}

	@Override
	public List<String> replayErrors(String operation, ApiIdempotent annotation) {
		List<String> own = this.operations.of(operation).replayErrors();
		if (own != null) {
			return own;
		}
		return (annotation.replayErrors().length > 0) ? List.of(annotation.replayErrors())
				: this.defaults.replayErrors();
	}

	@Override
	public ComparedFields fields(String operation, ApiIdempotent annotation) {
		OperationProperties own = this.operations.of(operation);
		if (own.comparedFields() != null || own.ignoredFields() != null) {
			return ComparedFields.of(orNone(own.comparedFields()), orNone(own.ignoredFields()));
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
	 * Warns of settings that nobody reads. A warning only: their operation may be mapped
	 * later, run by a template, or in another application that shares the configuration.
	 * @param known the names of all annotated operations
	 */
	void warnOfUnknownOperations(Set<String> known) {
		Set<String> unknown = this.operations.unknown(known);
		if (!unknown.isEmpty()) {
			logger.warn("No annotated operation has the name and the setting in " + unknown + ". The operations are "
					+ known + ", the settings " + OperationSettings.SETTINGS
					+ ": correct or remove the property, unless code gives the name to an IdempotencyTemplate");
		}
	}

	private Duration time(String operation, String attribute, @Nullable Duration own, String declared,
			Duration byDefault) {
		if (own != null) {
			return workable(attribute, own, OperationSettings.OPERATIONS + "." + operation + "." + attribute,
					own.toString());
		}
		String text = resolve(declared);
		if (text.isEmpty()) {
			return byDefault;
		}
		return workable(attribute, parse(attribute, text), "its " + attribute, '"' + text + '"');
	}

	private static Duration parse(String attribute, String text) {
		try {
			return DurationStyle.detectAndParse(text);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw new IllegalArgumentException(
					"its " + attribute + " \"" + text + "\" is no time: write it as 30s, 24h or PT30S", ex);
		}
	}

	private static Duration workable(String attribute, Duration time, String name, String value) {
		if (!Require.isPositive(time)) {
			throw new IllegalArgumentException(
					name + " is " + value + ", but it must be positive: give a time such as 30s");
		}
		if (attribute.equals("lease") && !Require.isLongEnough(time)) {
			throw new IllegalArgumentException(
					name + " is " + value + ", but " + Require.TOO_SHORT_LEASE + ": give " + Require.LONGER_LEASE);
		}
		return time;
	}

	private static <E extends Enum<E>> E choose(@Nullable E own, E declared, E undecided, E byDefault) {
		if (own != null && own != undecided) {
			return own;
		}
		return (declared != undecided) ? declared : byDefault;
	}

}
