package io.idempotent.autoconfigure;

import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.autoconfigure.IdempotentProperties.Defaults;
import io.idempotent.store.OperationPolicy;
import io.idempotent.web.OperationPolicies;
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

	PropertiesOperationPolicies(Defaults defaults, OperationSettings operations, UnaryOperator<String> placeholders) {
		this.defaults = defaults;
		this.operations = operations;
		this.placeholders = placeholders;
	}

	@Override
	public OperationPolicy policy(String operation, ApiIdempotent annotation) {
		OperationProperties own = this.operations.of(operation);
		return new OperationPolicy(operation,
				time(operation, "lease", own.lease(), annotation.lease(), this.defaults.lease()),
				time(operation, "retention", own.retention(), annotation.retention(), this.defaults.retention()),
				time(operation, "wait-timeout", own.waitTimeout(), annotation.waitTimeout(),
						this.defaults.waitTimeout()),
				choose(own.whenCompleted(), annotation.whenCompleted(), WhenCompleted.DEFAULT,
						this.defaults.whenCompleted()),
				choose(own.whenInProgress(), annotation.whenInProgress(), WhenInProgress.DEFAULT,
						this.defaults.whenInProgress()),
				choose(own.whenUnknown(), annotation.whenUnknown(), WhenUnknown.DEFAULT, this.defaults.whenUnknown()),
				choose(own.whenFailed(), annotation.whenFailed(), WhenFailed.DEFAULT, this.defaults.whenFailed()),
				choose(own.whenStoreFails(), annotation.whenStoreFails(), WhenStoreFails.DEFAULT,
						this.defaults.whenStoreFails()));
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
	public String resolve(String text) {
		return this.placeholders.apply(text);
	}

	/**
	 * Warns of settings that nobody reads. A warning only: their operation may be mapped
	 * later, or in another application that shares the configuration.
	 * @param known the names of all operations
	 */
	void warnOfUnknownOperations(Set<String> known) {
		Set<String> unknown = this.operations.unknown(known);
		if (!unknown.isEmpty()) {
			logger.warn("No operation has the name in " + unknown + ", which therefore changes nothing. The operations "
					+ "are " + known + ": correct the name or remove the property");
		}
	}

	private Duration time(String operation, String attribute, @Nullable Duration own, String declared,
			Duration byDefault) {
		if (own != null) {
			return positive(own, OperationSettings.OPERATIONS + "." + operation + "." + attribute, own.toString());
		}
		String text = resolve(declared);
		if (text.isEmpty()) {
			return byDefault;
		}
		return positive(parse(attribute, text), "its " + attribute, '"' + text + '"');
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

	private static Duration positive(Duration time, String name, String value) {
		if (!Require.isPositive(time)) {
			throw new IllegalArgumentException(
					name + " is " + value + ", but it must be positive: give a time such as 30s");
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
