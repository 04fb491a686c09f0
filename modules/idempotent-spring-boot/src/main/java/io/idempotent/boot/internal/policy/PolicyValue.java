package io.idempotent.boot.internal.policy;

import java.util.Locale;
import java.util.regex.Pattern;

import io.idempotent.boot.internal.properties.OperationProperties;
import io.idempotent.boot.settings.InvalidConfigurationException;

/** A value of an operation's policy and where it was set, which a failure names. */
public record PolicyValue<T>(T value, String text, String operation, String attribute, Place place) {

	private static final Pattern HYPHEN_AND_LETTER = Pattern.compile("-([a-z])");

	/** Rejects the value. The reader of an annotation adds the name of its method. */
	RuntimeException refused(String reason, String action) {
		return switch (this.place) {
			case OPERATION -> new InvalidConfigurationException(name(), this.text, reason, action);
			case ANNOTATION -> new IllegalArgumentException("its " + inCamelCase() + " is " + this.text + ", but "
					+ reason + ": " + action.substring(0, 1).toLowerCase(Locale.ROOT) + action.substring(1));
			case DEFAULTS -> new InvalidConfigurationException(name(), this.text,
					reason + " (operation '" + this.operation + "')", action);
		};
	}

	/** The property, or the attribute of the annotation and its operation. */
	public String name() {
		return switch (this.place) {
			case OPERATION -> OperationProperties.name(this.operation, this.attribute);
			case ANNOTATION -> inCamelCase() + " of the operation '" + this.operation + "'";
			case DEFAULTS -> "idempotent.defaults." + this.attribute;
		};
	}

	public String inCamelCase() {
		return HYPHEN_AND_LETTER.matcher(this.attribute).replaceAll((match) -> match.group(1).toUpperCase(Locale.ROOT));
	}

	/** Where a value was set, the closest first. Defaults need not be set. */
	public enum Place {

		OPERATION, ANNOTATION, DEFAULTS

	}

}
