package io.idempotent.boot.settings;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Reads properties of named objects, such as operations, under a common prefix. They
 * cannot be bound as a map: a name may contain a dot ({@code OrderController.create}),
 * which needs brackets in the key of a map, and an environment variable has neither case
 * nor brackets. So every form of the name is accepted, with the usual precedence of
 * property sources.
 *
 * @param <T> a record of the settings, all of which may be {@code null}
 */
public final class NamedSettings<T> {

	/** Names that need no brackets: elements of letters, digits and hyphens. */
	private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]*(\\.[A-Za-z0-9][A-Za-z0-9-]*)*");

	private final ConfigurableEnvironment environment;

	/** A view of the unmodified sources, which preserves the names of each. */
	private final Iterable<ConfigurationPropertySource> sources;

	private final ConfigurationPropertyName prefix;

	private final Class<T> type;

	private final List<String> settings;

	public NamedSettings(ConfigurableEnvironment environment, String prefix, Class<T> type) {
		this.environment = environment;
		this.sources = ConfigurationPropertySources.from(environment.getPropertySources());
		this.prefix = ConfigurationPropertyName.of(prefix);
		this.type = type;
		this.settings = settings(type);
	}

	/** The settings of a name, as they are written. */
	public static List<String> settings(Class<?> type) {
		return Arrays.stream(type.getRecordComponents()).map((component) -> dashed(component.getName())).toList();
	}

	/** Whether no source of properties may have a setting. */
	public boolean isEmpty() {
		return sources()
			.allMatch((source) -> source.containsDescendantOf(this.prefix) == ConfigurationPropertyState.ABSENT);
	}

	/**
	 * Reads the settings of a name, or returns {@code null} if there are none.
	 * @throws InvalidConfigurationException if a value is of another type
	 */
	public @Nullable T of(String name) {
		if (isEmpty()) {
			return null;
		}
		try {
			return new Binder(spellings(name).toList(), new PropertySourcesPlaceholdersResolver(this.environment))
				.bind(inBrackets(name), Bindable.of(this.type))
				.orElse(null);
		}
		catch (BindException ex) {
			String setting = ex.getName().getLastElement(ConfigurationPropertyName.Form.UNIFORM);
			String attribute = this.settings.stream()
				.filter((one) -> one.replace("-", "").equals(setting))
				.findFirst()
				.orElse(setting);
			throw InvalidConfigurationException.of(property(name, attribute), ex);
		}
	}

	/** Creates the exception for a value that cannot work. */
	public InvalidConfigurationException refused(String name, String setting, Object value, String reason,
			String action) {
		return new InvalidConfigurationException(property(name, setting), InvalidConfigurationException.text(value),
				reason, action, origin(name, setting), null);
	}

	/** The origin of the first property that sets a setting of a name, if it is known. */
	public @Nullable Origin origin(String name, String setting) {
		ConfigurationPropertyName property = inBrackets(name).append(setting);
		return spellings(name).map((source) -> source.getConfigurationProperty(property))
			.filter(Objects::nonNull)
			.map(ConfigurationProperty::getOrigin)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/** The property of a setting, with the name in brackets if it needs them. */
	public String property(String name, String setting) {
		return property(this.prefix.toString(), name, setting);
	}

	public static String property(String prefix, String name, String setting) {
		return prefix + (PLAIN.matcher(name).matches() ? "." + name : "[" + name + "]") + "." + setting;
	}

	/**
	 * Finds properties with an unknown name or setting, each with its correct spelling if
	 * it differs only in punctuation.
	 */
	public Set<String> unknown(Set<String> names) {
		List<ConfigurationPropertyName> known = names.stream()
			.flatMap((name) -> Stream.of(inBrackets(name), plain(name)))
			// A name in Chinese characters, for instance, has no plain form.
			.filter(this.prefix::isAncestorOf)
			.flatMap(this::settingsOf)
			.toList();
		Set<String> unknown = new TreeSet<>();
		sources().filter(IterableConfigurationPropertySource.class::isInstance)
			.flatMap((source) -> ((IterableConfigurationPropertySource) source).stream())
			.filter((property) -> this.prefix.isAncestorOf(property)
					&& known.stream().noneMatch((one) -> one.equals(property) || one.isAncestorOf(property)))
			.forEach((property) -> unknown.add(property + writtenLike(property, names)));
		return unknown;
	}

	/** Names in brackets must match literally; an underscore may replace a hyphen. */
	private String writtenLike(ConfigurationPropertyName property, Set<String> names) {
		String letters = lettersAndDigits(property.toString());
		return names.stream()
			.flatMap((name) -> this.settings.stream().map((setting) -> property(name, setting)))
			.filter((known) -> lettersAndDigits(known).equals(letters))
			.findFirst()
			.map((known) -> " (write " + known + ")")
			.orElse("");
	}

	private static String lettersAndDigits(String name) {
		return name.codePoints()
			.filter(Character::isLetterOrDigit)
			.map(Character::toLowerCase)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

	/** In an environment variable, an underscore may replace a hyphen. */
	private Stream<ConfigurationPropertyName> settingsOf(ConfigurationPropertyName name) {
		return this.settings.stream()
			.flatMap((setting) -> Stream.of(setting, setting.replace('-', '.')))
			.map(name::append);
	}

	/** The sources, in which the settings of a name are found in every form of it. */
	private Stream<ConfigurationPropertySource> spellings(String name) {
		ConfigurationPropertyName plain = plain(name);
		return this.prefix.isAncestorOf(plain)
				? sources().map((source) -> new Spellings(source, inBrackets(name), plain)) : sources();
	}

	private Stream<ConfigurationPropertySource> sources() {
		return StreamSupport.stream(this.sources.spliterator(), false);
	}

	private ConfigurationPropertyName inBrackets(String name) {
		return this.prefix.append("[" + name + "]");
	}

	/** Removes what a name without brackets cannot contain; may leave only the prefix. */
	private ConfigurationPropertyName plain(String name) {
		return ConfigurationPropertyName.adapt(this.prefix + "." + name, '.');
	}

	private static String dashed(String camelCase) {
		return camelCase.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
	}

	/** A source whose properties below the plain name are also found below the other. */
	private record Spellings(ConfigurationPropertySource source, ConfigurationPropertyName inBrackets,
			ConfigurationPropertyName plain) implements ConfigurationPropertySource {

		@Override
		public @Nullable ConfigurationProperty getConfigurationProperty(ConfigurationPropertyName name) {
			ConfigurationProperty found = this.source.getConfigurationProperty(name);
			return (found == null && this.inBrackets.isAncestorOf(name)) ? this.source.getConfigurationProperty(
					this.plain.append(name.subName(this.inBrackets.getNumberOfElements()))) : found;
		}

	}

}
