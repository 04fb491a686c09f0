package io.idempotent.boot;

import java.lang.reflect.RecordComponent;
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
import org.springframework.boot.context.properties.source.ConfigurationPropertyNameAliases;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Reads the properties of single operations under {@code idempotent.operations}, by the
 * name of the operation. They cannot be bound as a map: the name of an operation contains
 * a dot ({@code OrderController.create}), which needs brackets in the key of a map, and
 * an environment variable has neither case nor brackets. So every form of the name is
 * accepted, and the usual order of property sources decides among several.
 */
final class OperationSettings {

	static final ConfigurationPropertyName OPERATIONS = ConfigurationPropertyName.of("idempotent.operations");

	/** Names that need no brackets: elements of letters, digits and hyphens. */
	private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]*(\\.[A-Za-z0-9][A-Za-z0-9-]*)*");

	/** The settings of an operation, as they are written. */
	static final List<String> SETTINGS = Arrays.stream(OperationProperties.class.getRecordComponents())
		.map((component) -> dashed(component.getName()))
		.toList();

	/** The settings that are not lists, whose elements an alias cannot map. */
	private static final List<String> ATTRIBUTES = Arrays.stream(OperationProperties.class.getRecordComponents())
		.filter((component) -> component.getType() != List.class)
		.map(RecordComponent::getName)
		.map(OperationSettings::dashed)
		.toList();

	private final ConfigurableEnvironment environment;

	OperationSettings(ConfigurableEnvironment environment) {
		this.environment = environment;
	}

	/**
	 * Reads the settings of an operation.
	 * @param operation the name of the operation
	 * @return the settings, or {@link OperationProperties#NONE}
	 * @throws InvalidConfigurationException if a value is of another type
	 */
	OperationProperties of(String operation) {
		ConfigurationPropertyName inBrackets = inBrackets(operation);
		ConfigurationPropertyName plain = plain(operation);
		ConfigurationPropertyNameAliases aliases = new ConfigurationPropertyNameAliases();
		if (OPERATIONS.isAncestorOf(plain)) {
			ATTRIBUTES
				.forEach((attribute) -> aliases.addAliases(plain.append(attribute), inBrackets.append(attribute)));
		}
		Binder binder = new Binder(sources().map((source) -> source.withAliases(aliases)).toList(),
				new PropertySourcesPlaceholdersResolver(this.environment));
		try {
			OperationProperties found = binder.bind(inBrackets, Bindable.of(OperationProperties.class))
				.orElse(OperationProperties.NONE);
			return OPERATIONS.isAncestorOf(plain) ? withLists(found, binder, plain) : found;
		}
		catch (BindException ex) {
			throw invalid(operation, ex);
		}
	}

	/** Lists are bound under the plain name as well; those in brackets come first. */
	private static OperationProperties withLists(OperationProperties found, Binder binder,
			ConfigurationPropertyName plain) {
		Bindable<List<String>> list = Bindable.listOf(String.class);
		return found.orLists(binder.bind(plain.append("ignored-fields"), list).orElse(null),
				binder.bind(plain.append("compared-fields"), list).orElse(null),
				binder.bind(plain.append("replay-errors"), list).orElse(null));
	}

	private static InvalidConfigurationException invalid(String operation, BindException failure) {
		String setting = failure.getName().getLastElement(ConfigurationPropertyName.Form.UNIFORM);
		String attribute = SETTINGS.stream()
			.filter((one) -> one.replace("-", "").equals(setting))
			.findFirst()
			.orElse(setting);
		ConfigurationProperty found = failure.getProperty();
		InvalidValue invalid = InvalidValue.of(failure);
		return new InvalidConfigurationException(property(operation, attribute),
				String.valueOf((found != null) ? found.getValue() : null), invalid.reason(), invalid.action(),
				(found != null) ? found.getOrigin() : null, failure);
	}

	/**
	 * Where a setting of an operation is set.
	 * @param operation the name of the operation
	 * @param attribute the setting, as it is written
	 * @return the origin of the first property that sets it, or {@code null}
	 */
	@Nullable Origin origin(String operation, String attribute) {
		ConfigurationPropertyName inBrackets = inBrackets(operation).append(attribute);
		ConfigurationPropertyName plain = plain(operation);
		return sources()
			.flatMap((source) -> Stream
				.of(inBrackets, OPERATIONS.isAncestorOf(plain) ? plain.append(attribute) : inBrackets)
				.map(source::getConfigurationProperty))
			.filter(Objects::nonNull)
			.map(ConfigurationProperty::getOrigin)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/**
	 * How the setting of an operation is written in a properties file.
	 * @param operation the name of the operation
	 * @param setting the setting
	 * @return the property, with the name in brackets if it needs them
	 */
	static String property(String operation, String setting) {
		return OPERATIONS + (PLAIN.matcher(operation).matches() ? "." + operation : "[" + operation + "]") + "."
				+ setting;
	}

	/**
	 * Finds settings that no operation reads.
	 * @param operations the names of all operations
	 * @return the properties that belong to no operation or are no setting, each with the
	 * correct spelling if it differs only in punctuation
	 */
	Set<String> unknown(Set<String> operations) {
		List<ConfigurationPropertyName> known = operations.stream()
			.flatMap((operation) -> Stream.of(inBrackets(operation), plain(operation)))
			// A name in Chinese characters, for instance, has no plain form.
			.filter(OPERATIONS::isAncestorOf)
			.flatMap(OperationSettings::settings)
			.toList();
		Set<String> unknown = new TreeSet<>();
		sources().filter(IterableConfigurationPropertySource.class::isInstance)
			.flatMap((source) -> ((IterableConfigurationPropertySource) source).stream())
			.filter((name) -> OPERATIONS.isAncestorOf(name)
					&& known.stream().noneMatch((one) -> one.equals(name) || one.isAncestorOf(name)))
			.forEach((name) -> unknown.add(name + writtenLike(name, operations)));
		return unknown;
	}

	/** Names in brackets must match literally; an underscore may replace a hyphen. */
	private static String writtenLike(ConfigurationPropertyName name, Set<String> operations) {
		String letters = lettersAndDigits(name.toString());
		return operations.stream()
			.flatMap((operation) -> SETTINGS.stream().map((setting) -> property(operation, setting)))
			.filter((property) -> lettersAndDigits(property).equals(letters))
			.findFirst()
			.map((property) -> " (write " + property + ")")
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
	private static Stream<ConfigurationPropertyName> settings(ConfigurationPropertyName operation) {
		return SETTINGS.stream()
			.flatMap((setting) -> Stream.of(setting, setting.replace('-', '.')))
			.map(operation::append);
	}

	private Stream<ConfigurationPropertySource> sources() {
		return StreamSupport
			.stream(ConfigurationPropertySources.from(this.environment.getPropertySources()).spliterator(), false);
	}

	private static ConfigurationPropertyName inBrackets(String operation) {
		return OPERATIONS.append("[" + operation + "]");
	}

	/**
	 * Drops the characters that a name without brackets cannot contain. If no other is
	 * left, the result is {@link #OPERATIONS}.
	 */
	private static ConfigurationPropertyName plain(String operation) {
		return ConfigurationPropertyName.adapt(OPERATIONS + "." + operation, '.');
	}

	private static String dashed(String camelCase) {
		return camelCase.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
	}

}
