package io.idempotent.boot;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.idempotent.WhenInProgress;
import org.jspecify.annotations.Nullable;

/**
 * Finds settings of operations that have no effect. Safe for use by several threads.
 */
final class IneffectiveSettings {

	/** By operation. */
	private final Map<String, String> waitTimeouts = new ConcurrentHashMap<>();

	private final Set<String> requests = ConcurrentHashMap.newKeySet();

	/**
	 * Notes an operation that is an HTTP request.
	 */
	void request(String operation) {
		this.requests.add(operation);
	}

	/**
	 * Notes how long duplicates of an operation wait, and whether they do.
	 */
	void waitTimeout(PolicyValue<?> timeout, PolicyValue<WhenInProgress> whenInProgress) {
		if (timeout.place() != PolicyValue.Place.DEFAULTS && whenInProgress.value() != WhenInProgress.WAIT
				&& timeout.isAsCloseAs(whenInProgress)) {
			this.waitTimeouts.put(timeout.operation(),
					timeout.name() + " (duplicates wait only if when-in-progress is wait)");
		}
	}

	/**
	 * Describes the settings that have no effect.
	 * @param operations the names of all annotated operations
	 * @param settings their settings
	 * @return the settings, each with the reason
	 */
	Set<String> find(Collection<String> operations, OperationSettings settings) {
		Set<String> found = new TreeSet<>(this.waitTimeouts.values());
		operations.stream()
			.filter((operation) -> !this.requests.contains(operation))
			.flatMap((operation) -> settingsOfRequests(settings.of(operation))
				.map((setting) -> OperationSettings.property(operation, setting)
						+ " (only for @ApiIdempotent, and this operation is a method with @Idempotent)"))
			.forEach(found::add);
		return found;
	}

	private static Stream<String> settingsOfRequests(OperationProperties properties) {
		return Stream.of(name("source", properties.source()), name("ignored-fields", properties.ignoredFields()),
				name("compared-fields", properties.comparedFields()), name("replay-errors", properties.replayErrors()))
			.flatMap(List::stream);
	}

	private static List<String> name(String setting, @Nullable Object value) {
		return (value != null) ? List.of(setting) : List.of();
	}

}
