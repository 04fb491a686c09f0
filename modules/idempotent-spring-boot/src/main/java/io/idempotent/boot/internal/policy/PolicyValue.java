package io.idempotent.boot.internal.policy;

import java.util.Locale;
import java.util.regex.Pattern;

import io.idempotent.boot.internal.properties.OperationProperties;
import io.idempotent.boot.settings.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;

/**
 * A value of an operation's policy and where it was set, so that a failure can name the
 * property or attribute to change.
 *
 * @param <T> the type of the value
 * @param value the value
 * @param text how the value is shown
 * @param operation the name of the operation
 * @param attribute the attribute, as it is written in a property
 * @param place where the value was set
 * @param origin where the property is written, if it is known
 */
record PolicyValue<T>(T value, String text, String operation, String attribute, Place place, @Nullable Origin origin) {

	private static final Pattern HYPHEN_AND_LETTER = Pattern.compile("-([a-z])");

	static <T> PolicyValue<T> ofProperty(T value, String operation, String attribute, @Nullable Origin origin) {
		return new PolicyValue<>(value, InvalidConfigurationException.text(value), operation, attribute,
				Place.OPERATION, origin);
	}

	static <T> PolicyValue<T> ofAnnotation(T value, String text, String operation, String attribute) {
		return new PolicyValue<>(value, text, operation, attribute, Place.ANNOTATION, null);
	}

	static <T> PolicyValue<T> ofDefaults(T value, String operation, String attribute) {
		return new PolicyValue<>(value, InvalidConfigurationException.text(value), operation, attribute, Place.DEFAULTS,
				null);
	}

	/**
	 * Creates the exception that rejects the value.
	 * @param reason why it cannot work, as in "it must be positive"
	 * @param action what to do, as in "Give a time such as 30s"
	 * @return for a property an {@link InvalidConfigurationException}; for an annotation
	 * an {@link IllegalArgumentException}, to which the reader of the annotation adds the
	 * name of the method
	 */
	RuntimeException refused(String reason, String action) {
		return switch (this.place) {
			case OPERATION -> new InvalidConfigurationException(name(), this.text, reason, action, this.origin, null);
			case ANNOTATION -> new IllegalArgumentException("its " + inCamelCase() + " is " + this.text + ", but "
					+ reason + ": " + action.substring(0, 1).toLowerCase(Locale.ROOT) + action.substring(1));
			case DEFAULTS -> new InvalidConfigurationException(name(), this.text,
					reason + " (operation '" + this.operation + "')", action);
		};
	}

	/**
	 * Names the attribute by the place where it was set.
	 * @return the property, or the attribute of the annotation and its operation
	 */
	String name() {
		return switch (this.place) {
			case OPERATION -> OperationProperties.name(this.operation, this.attribute);
			case ANNOTATION -> inCamelCase() + " of the operation '" + this.operation + "'";
			case DEFAULTS -> "idempotent.defaults." + this.attribute;
		};
	}

	/** Whether it was set as close to the operation as the other value, or closer. */
	boolean isAsCloseAs(PolicyValue<?> other) {
		return this.place.compareTo(other.place) <= 0;
	}

	/** The attribute, as it is written in an annotation. */
	String inCamelCase() {
		return HYPHEN_AND_LETTER.matcher(this.attribute).replaceAll((match) -> match.group(1).toUpperCase(Locale.ROOT));
	}

	/**
	 * Where a value was set, the closest to the operation first.
	 */
	enum Place {

		/** {@code idempotent.operations}. */
		OPERATION,

		/** The annotation. */
		ANNOTATION,

		/** {@code idempotent.defaults}, set or not. */
		DEFAULTS

	}

}
