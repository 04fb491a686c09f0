package io.idempotent.boot;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.UrlResource;

/**
 * The properties of this library, as the configuration metadata beside its classes names
 * them.
 */
final class KnownProperties {

	private static final String METADATA = "META-INF/spring-configuration-metadata.json";

	/** The names, and whether there may be any other names below. */
	private final Map<ConfigurationPropertyName, Boolean> open;

	private final Set<String> letters;

	private KnownProperties(Map<ConfigurationPropertyName, Boolean> open) {
		this.open = open;
		this.letters = open.keySet().stream().map(KnownProperties::letters).collect(Collectors.toSet());
	}

	static KnownProperties read() {
		Map<ConfigurationPropertyName, Boolean> open = new LinkedHashMap<>();
		for (Object each : (List<?>) metadata().getOrDefault("properties", List.of())) {
			Map<?, ?> property = (Map<?, ?>) each;
			open.put(ConfigurationPropertyName.of((String) property.get("name")),
					String.valueOf(property.get("type")).startsWith("java.util."));
		}
		return new KnownProperties(open);
	}

	/** Of this module, not of the first one on the class path. */
	private static Map<String, Object> metadata() {
		String type = KnownProperties.class.getName().replace('.', '/') + ".class";
		try {
			String url = new ClassPathResource(type, KnownProperties.class.getClassLoader()).getURL().toString();
			Resource metadata = new UrlResource(url.substring(0, url.length() - type.length()) + METADATA);
			return JsonParserFactory.getJsonParser().parseMap(metadata.getContentAsString(StandardCharsets.UTF_8));
		}
		catch (FileNotFoundException ex) {
			// As in a native image, which has no such resource.
			return Map.of();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(METADATA + " cannot be read", ex);
		}
	}

	/**
	 * Whether there is a property.
	 * @param name the name
	 * @param variable whether it is the name of an environment variable, which does not
	 * tell where a part of the name ends
	 */
	boolean contains(ConfigurationPropertyName name, boolean variable) {
		return this.open.isEmpty() || this.open.containsKey(name) || (variable && this.letters.contains(letters(name)))
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
