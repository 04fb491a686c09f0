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
 * The settings of single operations under {@code idempotent.operations}, looked up by the
 * name of the operation. A map could not be: the name of an operation has a dot
 * ({@code OrderController.create}), which in the key of a map must stand in brackets, and
 * an environment variable knows neither case nor brackets. So every form of the name is
 * understood, and among several the source of the property decides, as always.
 */
final class OperationSettings {

	static final ConfigurationPropertyName OPERATIONS = ConfigurationPropertyName.of("idempotent.operations");

	/** What needs no brackets: elements of letters, digits and hyphens. */
	private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]*(\\.[A-Za-z0-9][A-Za-z0-9-]*)*");

	/** Of an operation, as they are written. */
	static final List<String> SETTINGS = Arrays.stream(OperationProperties.class.getRecordComponents())
		.map((component) -> dashed(component.getName()))
		.toList();

	/** Without the lists: an alias knows no elements. */
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
	 * @return what is set, {@link OperationProperties#NONE nothing} included
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
	 * Where a setting of an operation stands.
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
	 * @return the property; the name stands in brackets if it needs them
	 */
	static String property(String operation, String setting) {
		return OPERATIONS + (PLAIN.matcher(operation).matches() ? "." + operation : "[" + operation + "]") + "."
				+ setting;
	}

	/**
	 * Finds settings that no operation reads.
	 * @param operations the names of all operations
	 * @return the properties that belong to none of them or are not a setting; with the
	 * way to write them, if they differ from a setting in punctuation only
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

	/** Brackets are taken literally, and an underscore may stand where no hyphen may. */
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

	/** In an environment variable, an underscore may stand for a hyphen. */
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
	 * Drops what no plain name may contain: of a name that has nothing else,
	 * {@link #OPERATIONS} is left.
	 */
	private static ConfigurationPropertyName plain(String operation) {
		return ConfigurationPropertyName.adapt(OPERATIONS + "." + operation, '.');
	}

	private static String dashed(String camelCase) {
		return camelCase.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
	}

}
