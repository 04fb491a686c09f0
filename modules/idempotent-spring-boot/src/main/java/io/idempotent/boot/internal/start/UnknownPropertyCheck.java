package io.idempotent.boot.internal.start;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.idempotent.boot.settings.InvalidConfigurationException;
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
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.UrlResource;
import org.springframework.util.ResourceUtils;

/**
 * Finds properties under {@code idempotent} that nothing reads. One that is nearly the
 * name of a known property fails the start as a typing error; any other causes a warning.
 */
final class UnknownPropertyCheck implements ApplicationListener<ApplicationPreparedEvent> {

	private static final Log logger = LogFactory.getLog(UnknownPropertyCheck.class);

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("idempotent");

	/** Two missing, additional or wrong letters. */
	private static final int SPELLING = 2;

	@Override
	public void onApplicationEvent(ApplicationPreparedEvent event) {
		check(event.getApplicationContext().getEnvironment());
	}

	static void check(Environment environment) {
		try {
			if (!unknown(environment, KnownProperties.ofThisModule()).isEmpty()) {
				refuse(environment, KnownProperties.ofTheClassPath());
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(KnownProperties.METADATA + " cannot be read", ex);
		}
	}

	private static void refuse(Environment environment, KnownProperties known) {
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

	/** How many letters must be inserted, removed or replaced. */
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

	/** The properties of this library, as configuration metadata names them. */
	private static final class KnownProperties {

		private static final ClassLoader CLASS_LOADER = UnknownPropertyCheck.class.getClassLoader();

		private static final String METADATA = "META-INF/spring-configuration-metadata.json";

		/** Comes after the groups, which have names and types as well. */
		private static final String PROPERTIES = "\"properties\"";

		/**
		 * As the annotation processor writes it. An application need not have a JSON
		 * parser, and Spring Boot's own one does not read every description.
		 */
		private static final Pattern PROPERTY = Pattern
			.compile("\"name\":\\s*\"(idempotent\\.[^\"]+)\",\\s*\"type\":\\s*\"([^\"]+)\"");

		/** The names, and whether there may be any other names below. */
		private final Map<ConfigurationPropertyName, Boolean> open = new LinkedHashMap<>();

		private final Set<String> letters;

		private KnownProperties(List<URL> metadata) throws IOException {
			for (URL url : metadata) {
				String json = content(url);
				PROPERTY.matcher(json.substring(Math.max(0, json.indexOf(PROPERTIES))))
					.results()
					.forEach((property) -> this.open.put(ConfigurationPropertyName.of(property.group(1)),
							property.group(2).startsWith("java.util.")));
			}
			this.letters = this.open.keySet().stream().map(KnownProperties::letters).collect(Collectors.toSet());
		}

		/** The properties of this module alone, which are quickly found. */
		static KnownProperties ofThisModule() throws IOException {
			String type = UnknownPropertyCheck.class.getName().replace('.', '/') + ".class";
			String url = new ClassPathResource(type, CLASS_LOADER).getURL().toString();
			return new KnownProperties(
					List.of(ResourceUtils.toURL(url.substring(0, url.length() - type.length()) + METADATA)));
		}

		/** The properties of all that is on the class path, such as extensions. */
		static KnownProperties ofTheClassPath() throws IOException {
			return new KnownProperties(Collections.list(CLASS_LOADER.getResources(METADATA)));
		}

		private static String content(URL metadata) throws IOException {
			try {
				return new UrlResource(metadata).getContentAsString(StandardCharsets.UTF_8);
			}
			catch (FileNotFoundException ex) {
				// As in a native image, which has no such resource.
				return "";
			}
		}

		/** The name of an environment variable does not say where its parts end. */
		boolean contains(ConfigurationPropertyName name, boolean variable) {
			return this.open.isEmpty() || this.open.containsKey(name)
					|| (variable && this.letters.contains(letters(name)))
					|| this.open.entrySet()
						.stream()
						.anyMatch((known) -> known.getValue() && known.getKey().isAncestorOf(name));
		}

		/** As they are written in a configuration file. */
		Set<String> names() {
			return this.open.keySet().stream().map(ConfigurationPropertyName::toString).collect(Collectors.toSet());
		}

		private static String letters(ConfigurationPropertyName name) {
			return name.toString().replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
		}

	}

}
