package io.idempotent.boot;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Reads the properties of single operations under {@code idempotent.operations}, by the
 * name of the operation.
 */
final class OperationSettings {

	private static final String OPERATIONS = "idempotent.operations";

	/** The settings of an operation, as they are written. */
	static final List<String> SETTINGS = NamedSettings.settings(OperationProperties.class);

	private final NamedSettings<OperationProperties> settings;

	OperationSettings(ConfigurableEnvironment environment) {
		this.settings = new NamedSettings<>(environment, OPERATIONS, OperationProperties.class);
	}

	/**
	 * Reads the settings of an operation.
	 * @param operation the name of the operation
	 * @return the settings, or {@link OperationProperties#NONE}
	 * @throws InvalidConfigurationException if a value is of another type
	 */
	OperationProperties of(String operation) {
		OperationProperties found = this.settings.of(operation);
		// Lists in brackets come first.
		return ((found != null) ? found : OperationProperties.NONE).orLists(
				this.settings.list(operation, "ignored-fields"), this.settings.list(operation, "compared-fields"),
				this.settings.list(operation, "replay-errors"));
	}

	/**
	 * Where a setting of an operation is set.
	 * @param operation the name of the operation
	 * @param attribute the setting, as it is written
	 * @return the origin of the first property that sets it, or {@code null}
	 */
	@Nullable Origin origin(String operation, String attribute) {
		return this.settings.origin(operation, attribute);
	}

	/**
	 * How the setting of an operation is written in a properties file.
	 * @param operation the name of the operation
	 * @param setting the setting
	 * @return the property, with the name in brackets if it needs them
	 */
	static String property(String operation, String setting) {
		return NamedSettings.property(OPERATIONS, operation, setting);
	}

	/**
	 * Finds settings that no operation reads.
	 * @param operations the names of all operations
	 * @return the properties that belong to no operation or are no setting, each with the
	 * correct spelling if it differs only in punctuation
	 */
	Set<String> unknown(Set<String> operations) {
		return this.settings.unknown(operations);
	}

}
