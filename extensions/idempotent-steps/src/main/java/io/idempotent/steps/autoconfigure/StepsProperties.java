package io.idempotent.steps.autoconfigure;

import java.time.Duration;

import io.idempotent.boot.settings.PropertyAssertions;
import io.idempotent.steps.WhenChanged;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Operations with steps.
 *
 * @param whenChanged What happens to a repeat that meets a new step before one done or
 * interrupted: its code has changed since.
 */
@ConfigurationProperties("idempotent.steps")
record StepsProperties(@DefaultValue("refuse") WhenChanged whenChanged, @DefaultValue Resume resume) {

	/**
	 * How resumable operations are called again.
	 *
	 * @param enabled Whether this node calls operations again that have not ended. Their
	 * arguments are stored in any case.
	 * @param after Time after the first step of an operation until it is called again if
	 * it has not ended. It doubles with each further attempt, up to an hour.
	 * @param maxAttempts How often an operation is called again at most, before it is
	 * abandoned.
	 */
	record Resume(@DefaultValue("true") boolean enabled, @DefaultValue("1m") Duration after,
			@DefaultValue("10") int maxAttempts) {

		private static final Duration SHORTEST = Duration.ofMillis(100);

		Resume {
			PropertyAssertions.that(after.compareTo(SHORTEST) >= 0, "idempotent.steps.resume.after", after,
					"the database would be asked all the time", "Give at least 100ms, or rather a minute: 1m");
			PropertyAssertions.that(maxAttempts > 0, "idempotent.steps.resume.max-attempts", maxAttempts,
					"it must be at least 1", "Give a number such as 10, or remove @Resumable from the methods");
		}

	}

}
