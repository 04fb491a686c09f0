package io.idempotent.boot;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Determines the value of one attribute of an operation: a property of the operation
 * takes precedence over the annotation, and the annotation over the default.
 */
final class AttributeResolver {

	private final NamedSettings<OperationProperties> operations;

	private final UnaryOperator<String> placeholders;

	AttributeResolver(NamedSettings<OperationProperties> operations, UnaryOperator<String> placeholders) {
		this.operations = operations;
		this.placeholders = placeholders;
	}

	/**
	 * Determines a duration.
	 * @param operation the name of the operation
	 * @param attribute the attribute, as it is written in a property
	 * @param property the value of the operation's property, if it is set
	 * @param declared the text in the annotation, empty if it is not set
	 * @param byDefault the default
	 */
	PolicyValue<Duration> duration(String operation, String attribute, @Nullable Duration property, String declared,
			Duration byDefault) {
		PolicyValue<Duration> duration = find(operation, attribute, property, declared, byDefault);
		if (!PropertyAssertions.isPositive(duration.value())) {
			throw duration.refused("it must be positive", "Give a time such as 30s");
		}
		return duration;
	}

	/**
	 * As {@link #duration}, but at most a year.
	 */
	PolicyValue<Duration> durationUpToAYear(String operation, String attribute, @Nullable Duration property,
			String declared, Duration byDefault) {
		PolicyValue<Duration> duration = duration(operation, attribute, property, declared, byDefault);
		if (!PropertyAssertions.isAtMostAYear(duration.value())) {
			throw duration.refused(PropertyAssertions.LONGER_THAN_A_YEAR, "Give a time such as 30s");
		}
		return duration;
	}

	private PolicyValue<Duration> find(String operation, String attribute, @Nullable Duration property, String declared,
			Duration byDefault) {
		if (property != null) {
			return ofProperty(property, operation, attribute);
		}
		String text = this.placeholders.apply(declared);
		return text.isEmpty() ? PolicyValue.ofDefaults(byDefault, operation, attribute)
				: PolicyValue.ofAnnotation(parse(attribute, text), '"' + text + '"', operation, attribute);
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
	 * Determines a constant.
	 * @param operation the name of the operation
	 * @param attribute the attribute, as it is written in a property
	 * @param property the value of the operation's property, if it is set
	 * @param declared the constant in the annotation
	 * @param unset the constant that leaves the choice to the default
	 * @param byDefault the default
	 * @return the constant, and where it was set
	 */
	<E extends Enum<E>> PolicyValue<E> constant(String operation, String attribute, @Nullable E property, E declared,
			E unset, E byDefault) {
		if (property != null && property != unset) {
			return ofProperty(property, operation, attribute);
		}
		return (declared != unset) ? PolicyValue.ofAnnotation(declared, declared.name(), operation, attribute)
				: PolicyValue.ofDefaults(byDefault, operation, attribute);
	}

	/**
	 * Determines a list.
	 * @param operation the name of the operation
	 * @param attribute the attribute, as it is written in a property
	 * @param property the value of the operation's property, if it is set
	 * @param declared the list in the annotation, empty if it is not set
	 * @param byDefault the default
	 * @return the list, and where it was set
	 */
	PolicyValue<List<String>> list(String operation, String attribute, @Nullable List<String> property,
			String[] declared, List<String> byDefault) {
		if (property != null) {
			return ofProperty(property, operation, attribute);
		}
		return (declared.length > 0)
				? PolicyValue.ofAnnotation(List.of(declared), String.join(",", declared), operation, attribute)
				: PolicyValue.ofDefaults(byDefault, operation, attribute);
	}

	/**
	 * Determines a text.
	 * @param operation the name of the operation
	 * @param attribute the attribute, as it is written in a property
	 * @param property the value of the operation's property, if it is set
	 * @param declared the text in the annotation, empty if it is not set
	 * @return the text, empty if it is not set
	 */
	PolicyValue<String> text(String operation, String attribute, @Nullable String property, String declared) {
		if (property != null) {
			return ofProperty(property, operation, attribute);
		}
		String text = this.placeholders.apply(declared);
		return text.isEmpty() ? PolicyValue.ofDefaults("", operation, attribute)
				: PolicyValue.ofAnnotation(text, '"' + text + '"', operation, attribute);
	}

	/**
	 * A value that a property of the operation sets.
	 */
	<T> PolicyValue<T> ofProperty(T value, String operation, String attribute) {
		Origin origin = this.operations.origin(operation, attribute);
		return PolicyValue.ofProperty(value, operation, attribute, origin);
	}

}
