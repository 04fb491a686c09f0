package io.idempotent.boot.internal.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.idempotent.ApiIdempotent;
import io.idempotent.administration.OperationCatalog.Description;
import io.idempotent.boot.internal.policy.PolicyValue.Place;
import io.idempotent.engine.policy.DeclaredPolicy;
import io.idempotent.engine.policy.OperationPolicies;
import io.idempotent.engine.policy.OperationPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Describes the policies of operations, with the place where each value was set.
 */
public final class PolicySettings {

	/** The attributes whose default depends on whether a method listens to messages. */
	private static final Set<String> OF_LISTENERS = Set.of("wait-timeout", "when-in-progress");

	private final OperationPolicies policies;

	/** A view of the sources as they are, which keeps the names of each. */
	private final Iterable<ConfigurationPropertySource> sources;

	/**
	 * Creates the descriptions. Those of an {@link OperationPolicies} bean of the
	 * application name the bean's class as the source of each value.
	 * @param policies the policies
	 * @param environment the environment with the properties
	 */
	public PolicySettings(OperationPolicies policies, ConfigurableEnvironment environment) {
		this.policies = policies;
		this.sources = ConfigurationPropertySources.from(environment.getPropertySources());
	}

	/**
	 * Describes the policy of an operation.
	 * @param operation the operation
	 */
	public List<Setting> of(Description operation) {
		return (this.policies instanceof PropertiesOperationPolicies properties) ? of(properties, operation)
				: ofBean(operation);
	}

	private List<Setting> ofBean(Description operation) {
		OperationPolicy policy = this.policies.policy(operation.name(), operation.declared());
		Map<String, Object> values = new LinkedHashMap<>();
		values.put("lease", policy.lease());
		values.put("retention", policy.retention());
		values.put("waitTimeout", policy.waitTimeout());
		values.put("whenCompleted", policy.whenCompleted());
		values.put("whenInProgress", policy.whenInProgress());
		values.put("whenUnknown", policy.whenUnknown());
		values.put("whenFailed", policy.whenFailed());
		values.put("whenStoreFails", policy.whenStoreFails());
		values.put("receipt", policy.receipt() ? "ON" : "OFF");
		ApiIdempotent annotation = operation.annotation();
		if (annotation != null) {
			values.put("source", this.policies.source(operation.name(), annotation));
			values.put("replayErrors", this.policies.replayErrors(operation.name(), annotation));
		}
		String source = this.policies.getClass().getName();
		return values.entrySet()
			.stream()
			.map((value) -> new Setting(value.getKey(), value.getValue(), source, null, null))
			.toList();
	}

	private List<Setting> of(PropertiesOperationPolicies policies, Description operation) {
		ResolvedPolicy policy = policies.resolve(operation.name(), operation.declared());
		List<Setting> settings = new ArrayList<>();
		policy.values().forEach((value) -> settings.add(describe(value, value.value(), operation.declared())));
		settings.add(describe(policy.receipt(), policy.writesReceipt() ? "ON" : "OFF", operation.declared()));
		if (!policy.message().value().isEmpty()) {
			settings.add(describe(policy.message(), policy.message().value(), operation.declared()));
		}
		ApiIdempotent annotation = operation.annotation();
		if (annotation != null) {
			addRequestSettings(policies, settings, operation, annotation);
		}
		return settings;
	}

	private void addRequestSettings(PropertiesOperationPolicies policies, List<Setting> settings, Description operation,
			ApiIdempotent annotation) {
		String name = operation.name();
		PolicyValue<?> source = policies.keySource(name, annotation);
		// A key expression makes the content the key.
		settings.add((source.place() == Place.DEFAULTS && !annotation.key().isEmpty())
				? new Setting("source", source.value(), "annotation", null, null)
				: describe(source, source.value(), operation.declared()));
		for (PolicyValue<?> value : List.of(policies.replayedErrors(name, annotation),
				policies.comparedFields(name, annotation), policies.ignoredFields(name, annotation))) {
			settings.add(describe(value, value.value(), operation.declared()));
		}
	}

	private Setting describe(PolicyValue<?> setting, Object value, DeclaredPolicy declared) {
		String name = setting.inCamelCase();
		return switch (setting.place()) {
			case OPERATION -> new Setting(name, value, setting.name(), null, text(setting.origin()));
			case ANNOTATION -> new Setting(name, value, "annotation", placeholder(setting, declared), null);
			case DEFAULTS -> byDefault(setting, value, declared);
		};
	}

	private Setting byDefault(PolicyValue<?> setting, Object value, DeclaredPolicy declared) {
		String name = setting.inCamelCase();
		if (declared.message() && OF_LISTENERS.contains(setting.attribute())) {
			return new Setting(name, value, "message-listener", null, null);
		}
		ConfigurationPropertyName property = ConfigurationPropertyName.of(setting.name());
		return sources().anyMatch((source) -> isSet(source, property))
				? new Setting(name, value, setting.name(), null, text(origin(property)))
				: new Setting(name, value, "default", null, null);
	}

	private static boolean isSet(ConfigurationPropertySource source, ConfigurationPropertyName property) {
		return source.getConfigurationProperty(property) != null
				|| source.getConfigurationProperty(firstOf(property)) != null;
	}

	private static ConfigurationPropertyName firstOf(ConfigurationPropertyName list) {
		return list.append("[0]");
	}

	private @Nullable Origin origin(ConfigurationPropertyName property) {
		return sources().map((source) -> {
			ConfigurationProperty found = source.getConfigurationProperty(property);
			return (found != null) ? found : source.getConfigurationProperty(firstOf(property));
		}).filter(Objects::nonNull).findFirst().map(ConfigurationProperty::getOrigin).orElse(null);
	}

	private Stream<ConfigurationPropertySource> sources() {
		return StreamSupport.stream(this.sources.spliterator(), false);
	}

	private static @Nullable String text(@Nullable Origin origin) {
		return (origin != null) ? origin.toString() : null;
	}

	/** The text of an annotation that was resolved. */
	private static @Nullable String placeholder(PolicyValue<?> setting, DeclaredPolicy declared) {
		String text = switch (setting.attribute()) {
			case "lease" -> declared.lease();
			case "retention" -> declared.retention();
			case "wait-timeout" -> declared.waitTimeout();
			case "message" -> declared.refusalMessage();
			default -> "";
		};
		return text.contains("${") ? text : null;
	}

	/**
	 * A setting of an operation.
	 *
	 * @param name the attribute, as it is written in an annotation
	 * @param value the value that applies
	 * @param source where it was set: {@code annotation}, a property, {@code default}, or
	 * {@code message-listener} for a default that depends on the method
	 * @param declared the text in the annotation, if it has a placeholder
	 * @param origin where the property is written, if it is known
	 */
	public record Setting(String name, Object value, String source, @Nullable String declared,
			@Nullable String origin) {
	}

}
