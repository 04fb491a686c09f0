package io.idempotent.boot.internal.policy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.idempotent.KeySource;
import io.idempotent.ReceiptMode;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.internal.policy.PolicyValue.Place;
import io.idempotent.boot.internal.properties.OperationProperties;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.boot.settings.PropertyAssertions;
import org.jspecify.annotations.Nullable;

import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Determines the values of the attributes of one operation: a property of the operation
 * takes precedence over the annotation, and the annotation over the default. Attributes
 * are named as they are written in a property.
 */
final class OperationAttributes {

	private static final String ACTION = "Give a time such as 30s";

	/** What needs a record beside the receipt. */
	private static final List<Object> IMPOSSIBLE_WITH_RECEIPTS_ONLY = List.of(KeySource.TOKEN, ReceiptMode.OFF,
			WhenCompleted.BURN, WhenFailed.UNKNOWN, WhenUnknown.REJECT, WhenUnknown.ASK);

	private final String operation;

	private final OperationProperties properties;

	private final UnaryOperator<String> placeholders;

	/** Whether receipts are the only records. */
	private final boolean receiptsOnly;

	private final Map<String, PolicyValue<?>> values = new LinkedHashMap<>();

	OperationAttributes(String operation, OperationProperties properties, UnaryOperator<String> placeholders,
			boolean receiptsOnly) {
		this.operation = operation;
		this.properties = properties;
		this.placeholders = placeholders;
		this.receiptsOnly = receiptsOnly;
	}

	String operation() {
		return this.operation;
	}

	OperationProperties properties() {
		return this.properties;
	}

	/** The values that were determined, in this order. */
	List<PolicyValue<?>> values() {
		return List.copyOf(this.values.values());
	}

	/** A duration, which must be positive. */
	PolicyValue<Duration> duration(String attribute, @Nullable Duration property, String declared, Duration byDefault) {
		String text = (property != null) ? "" : this.placeholders.apply(declared);
		PolicyValue<Duration> duration = value(attribute, property, text.isEmpty() ? null : parse(attribute, text),
				'"' + text + '"', byDefault);
		if (!PropertyAssertions.isPositive(duration.value())) {
			throw duration.refused("it must be positive", ACTION);
		}
		return duration;
	}

	private static Duration parse(String attribute, String text) {
		try {
			return DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw new IllegalArgumentException(
					"its " + attribute + " \"" + text + "\" is not a duration: write it as 300ms, 30s or 24h", ex);
		}
	}

	/**
	 * A constant. {@code DEFAULT} leaves the choice to what comes after. Refused if only
	 * receipts are kept and it needs another record.
	 */
	<E extends Enum<E>> PolicyValue<E> constant(String attribute, @Nullable E property, E declared, E byDefault) {
		PolicyValue<E> constant = value(attribute, decided(property), decided(declared), declared.name(), byDefault);
		if (this.receiptsOnly && IMPOSSIBLE_WITH_RECEIPTS_ONLY.contains(constant.value())) {
			throw constant.refused(
					"with idempotent.store.type=receipt the receipt, which is written with the effect, is "
							+ "the only record: nothing can be recorded before or without it",
					"Choose another value, or another store, such as idempotent.store.type=jdbc");
		}
		return constant;
	}

	private static <E extends Enum<E>> @Nullable E decided(@Nullable E constant) {
		return (constant == null || constant.name().equals("DEFAULT")) ? null : constant;
	}

	PolicyValue<List<String>> list(String attribute, @Nullable List<String> property, String[] declared,
			List<String> byDefault) {
		return value(attribute, property, (declared.length > 0) ? List.of(declared) : null, String.join(",", declared),
				byDefault);
	}

	/** A text, empty if it is not set. */
	PolicyValue<String> text(String attribute, @Nullable String property, String declared) {
		String text = (property != null) ? "" : this.placeholders.apply(declared);
		return value(attribute, property, text.isEmpty() ? null : text, '"' + text + '"', "");
	}

	private <T> PolicyValue<T> value(String attribute, @Nullable T property, @Nullable T declared, String declaredText,
			T byDefault) {
		PolicyValue<T> value;
		if (property != null) {
			value = ofProperty(property, attribute);
		}
		else if (declared != null) {
			value = new PolicyValue<>(declared, declaredText, this.operation, attribute, Place.ANNOTATION);
		}
		else {
			value = new PolicyValue<>(byDefault, InvalidConfigurationException.text(byDefault), this.operation,
					attribute, Place.DEFAULTS);
		}
		this.values.put(attribute, value);
		return value;
	}

	<T> PolicyValue<T> ofProperty(T value, String attribute) {
		return new PolicyValue<>(value, InvalidConfigurationException.text(value), this.operation, attribute,
				Place.OPERATION);
	}

}
