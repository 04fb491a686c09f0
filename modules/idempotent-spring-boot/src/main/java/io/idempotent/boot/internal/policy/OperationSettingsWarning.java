package io.idempotent.boot.internal.policy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.WhenInProgress;
import io.idempotent.boot.internal.policy.PolicyValue.Place;
import io.idempotent.boot.internal.properties.OperationProperties;
import io.idempotent.boot.settings.NamedSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Warns of properties under {@code idempotent.operations} that no operation reads, and of
 * settings that have no effect. Safe for use by several threads.
 */
final class OperationSettingsWarning {

	private static final Log logger = LogFactory.getLog(OperationSettingsWarning.class);

	private static final List<String> SETTINGS = NamedSettings.settings(OperationProperties.class);

	private final NamedSettings<OperationProperties> settings;

	/** By operation. */
	private final Map<String, String> waitTimeouts = new ConcurrentHashMap<>();

	private final Set<String> requests = ConcurrentHashMap.newKeySet();

	OperationSettingsWarning(NamedSettings<OperationProperties> settings) {
		this.settings = settings;
	}

	/** Notes an operation that is an HTTP request. */
	void request(String operation) {
		this.requests.add(operation);
	}

	/** A timeout may be set farther from the operation than the decision not to wait. */
	void waitTimeout(PolicyValue<?> timeout, PolicyValue<WhenInProgress> whenInProgress) {
		if (timeout.place() != Place.DEFAULTS && whenInProgress.value() != WhenInProgress.WAIT
				&& timeout.place().compareTo(whenInProgress.place()) <= 0) {
			this.waitTimeouts.put(timeout.operation(),
					timeout.name() + " (duplicates wait only if when-in-progress is wait)");
		}
	}

	void log(Set<String> operations) {
		warnOfUnknown(operations);
		Set<String> ineffective = ineffective(operations);
		if (!ineffective.isEmpty()) {
			logger.warn("These settings of operations have no effect: " + String.join(", ", ineffective)
					+ ". Remove them, or correct the setting that they depend on");
		}
	}

	/**
	 * A warning only: the operation may be mapped later, run by a template, or in another
	 * application that shares the configuration.
	 */
	private void warnOfUnknown(Set<String> operations) {
		Set<String> unknown = this.settings.unknown(operations);
		if (!unknown.isEmpty()) {
			logger.warn("No annotated operation has the name and the setting in " + unknown
					+ ". Settings of the operations are written as "
					+ operations.stream().sorted().map((name) -> OperationProperties.name(name, "<setting>")).toList()
					+ " with one of the settings " + SETTINGS
					+ ": correct or remove the property, unless code gives the name to an IdempotencyTemplate");
		}
	}

	private Set<String> ineffective(Set<String> operations) {
		Set<String> found = new TreeSet<>(this.waitTimeouts.values());
		for (String operation : operations) {
			OperationProperties own = this.requests.contains(operation) ? null : this.settings.of(operation);
			if (own != null) {
				settingsOfRequests(own).forEach((setting, value) -> {
					if (value != null) {
						found.add(OperationProperties.name(operation, setting)
								+ " (only for @ApiIdempotent, and this operation is a method with @Idempotent)");
					}
				});
			}
		}
		return found;
	}

	private static Map<String, @Nullable Object> settingsOfRequests(OperationProperties properties) {
		Map<String, @Nullable Object> settings = new LinkedHashMap<>();
		settings.put("source", properties.source());
		settings.put("ignored-fields", properties.ignoredFields());
		settings.put("compared-fields", properties.comparedFields());
		settings.put("replay-errors", properties.replayErrors());
		return settings;
	}

}
