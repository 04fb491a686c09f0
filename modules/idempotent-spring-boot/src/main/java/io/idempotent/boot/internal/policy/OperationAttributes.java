package io.idempotent.boot.internal.policy;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

import io.idempotent.boot.internal.properties.OperationProperties;
import io.idempotent.boot.settings.NamedSettings;
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

	private final String operation;

	private final NamedSettings<OperationProperties> settings;

	private final UnaryOperator<String> placeholders;

	private final OperationProperties properties;

	OperationAttributes(String operation, NamedSettings<OperationProperties> settings,
			UnaryOperator<String> placeholders) {
		this.operation = operation;
		this.settings = settings;
		this.placeholders = placeholders;
		OperationProperties found = settings.of(operation);
		this.properties = (found != null) ? found : OperationProperties.NONE;
	}

	/** The properties of the operation. */
	OperationProperties properties() {
		return this.properties;
	}

	/**
	 * Determines a duration, which must be positive.
	 * @param declared the text in the annotation, empty if it is not set
	 */
	PolicyValue<Duration> duration(String attribute, @Nullable Duration property, String declared, Duration byDefault) {
		PolicyValue<Duration> duration = find(attribute, property, declared, byDefault);
		if (!PropertyAssertions.isPositive(duration.value())) {
			throw duration.refused("it must be positive", ACTION);
		}
		return duration;
	}

	/**
	 * As {@link #duration}, but at most a year.
	 */
	PolicyValue<Duration> durationUpToAYear(String attribute, @Nullable Duration property, String declared,
			Duration byDefault) {
		PolicyValue<Duration> duration = duration(attribute, property, declared, byDefault);
		if (!PropertyAssertions.isAtMostAYear(duration.value())) {
			throw duration.refused(PropertyAssertions.LONGER_THAN_A_YEAR, ACTION);
		}
		return duration;
	}

	private PolicyValue<Duration> find(String attribute, @Nullable Duration property, String declared,
			Duration byDefault) {
		if (property != null) {
			return ofProperty(property, attribute);
		}
		String text = this.placeholders.apply(declared);
		return text.isEmpty() ? PolicyValue.ofDefaults(byDefault, this.operation, attribute)
				: PolicyValue.ofAnnotation(parse(attribute, text), '"' + text + '"', this.operation, attribute);
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
	 * Determines a constant. {@code DEFAULT} leaves the choice to what comes after.
	 */
	<E extends Enum<E>> PolicyValue<E> constant(String attribute, @Nullable E property, E declared, E byDefault) {
		if (property != null && !isUndecided(property)) {
			return ofProperty(property, attribute);
		}
		return isUndecided(declared) ? PolicyValue.ofDefaults(byDefault, this.operation, attribute)
				: PolicyValue.ofAnnotation(declared, declared.name(), this.operation, attribute);
	}

	private static boolean isUndecided(Enum<?> constant) {
		return constant.name().equals("DEFAULT");
	}

	/**
	 * Determines a list.
	 * @param declared the list in the annotation, empty if it is not set
	 */
	PolicyValue<List<String>> list(String attribute, @Nullable List<String> property, String[] declared,
			List<String> byDefault) {
		if (property != null) {
			return ofProperty(property, attribute);
		}
		return (declared.length > 0)
				? PolicyValue.ofAnnotation(List.of(declared), String.join(",", declared), this.operation, attribute)
				: PolicyValue.ofDefaults(byDefault, this.operation, attribute);
	}

	/**
	 * Determines a text, empty if it is not set.
	 */
	PolicyValue<String> text(String attribute, @Nullable String property, String declared) {
		if (property != null) {
			return ofProperty(property, attribute);
		}
		String text = this.placeholders.apply(declared);
		return text.isEmpty() ? PolicyValue.ofDefaults("", this.operation, attribute)
				: PolicyValue.ofAnnotation(text, '"' + text + '"', this.operation, attribute);
	}

	/**
	 * A value that a property of the operation sets.
	 */
	<T> PolicyValue<T> ofProperty(T value, String attribute) {
		return PolicyValue.ofProperty(value, this.operation, attribute,
				this.settings.origin(this.operation, attribute));
	}

}
