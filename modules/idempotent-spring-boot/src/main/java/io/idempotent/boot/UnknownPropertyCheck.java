package io.idempotent.boot;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Finds properties under {@code idempotent} that nothing reads. One that is nearly the
 * name of a property cannot be meant otherwise and fails the start; any other is told in
 * a warning.
 */
final class UnknownPropertyCheck implements ApplicationListener<ApplicationPreparedEvent> {

	private static final Log logger = LogFactory.getLog(UnknownPropertyCheck.class);

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("idempotent");

	/** A letter that is missing, too many or wrong, twice. */
	private static final int SPELLING = 2;

	@Override
	public void onApplicationEvent(ApplicationPreparedEvent event) {
		check(event.getApplicationContext().getEnvironment());
	}

	static void check(Environment environment) {
		if (unknown(environment, KnownProperties.ofThisModule()).isEmpty()) {
			return;
		}
		KnownProperties known = KnownProperties.ofTheClassPath();
		for (ConfigurationPropertyName name : unknown(environment, known)) {
			String nearest = known.names()
				.stream()
				.min(Comparator.comparingInt((candidate) -> distance(candidate, name.toString())))
				.orElseThrow();
			if (distance(nearest, name.toString()) <= SPELLING) {
				// The value may be a secret.
				throw new InvalidConfigurationException(name.toString(), "******",
						"there is no such property, and nothing reads it",
						"Correct it to " + nearest + ", or remove it");
			}
			logger.warn("There is no property " + name + ", and nothing reads it. The nearest name is " + nearest
					+ ": correct or remove it");
		}
	}

	private static Set<ConfigurationPropertyName> unknown(Environment environment, KnownProperties known) {
		Set<ConfigurationPropertyName> unknown = new LinkedHashSet<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				boolean variables = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
				iterable.stream()
					.filter(ROOT::isAncestorOf)
					.filter((name) -> !known.contains(name, variables))
					.forEach(unknown::add);
			}
		}
		return unknown;
	}

	/** How many letters have to be inserted, removed or replaced. */
	private static int distance(String one, String other) {
		int[] before = new int[other.length() + 1];
		for (int j = 0; j <= other.length(); j++) {
			before[j] = j;
		}
		for (int i = 1; i <= one.length(); i++) {
			int[] current = new int[other.length() + 1];
			current[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int replaced = before[j - 1] + ((one.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1);
				current[j] = Math.min(replaced, 1 + Math.min(before[j], current[j - 1]));
			}
			before = current;
		}
		return before[other.length()];
	}

}
