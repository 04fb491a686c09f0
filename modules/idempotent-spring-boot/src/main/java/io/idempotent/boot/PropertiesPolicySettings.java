package io.idempotent.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.idempotent.ApiIdempotent;
import io.idempotent.administration.OperationCatalog.Description;
import io.idempotent.boot.PolicyValue.Place;
import io.idempotent.engine.policy.DeclaredPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Describes policies from properties and annotations.
 */
final class PropertiesPolicySettings implements PolicySettings {

	/** The attributes whose default depends on whether a method listens to messages. */
	private static final Set<String> OF_LISTENERS = Set.of("wait-timeout", "when-in-progress");

	private final PropertiesOperationPolicies policies;

	/** A view of the sources as they are, which keeps the names of each. */
	private final Iterable<ConfigurationPropertySource> sources;

	PropertiesPolicySettings(PropertiesOperationPolicies policies, ConfigurableEnvironment environment) {
		this.policies = policies;
		this.sources = ConfigurationPropertySources.from(environment.getPropertySources());
	}

	@Override
	public List<Setting> of(Description operation) {
		ResolvedPolicy policy = this.policies.resolve(operation.name(), operation.declared());
		List<Setting> settings = new ArrayList<>();
		policy.values().forEach((value) -> settings.add(describe(value, value.value(), operation.declared())));
		settings.add(describe(policy.receipt(), policy.writesReceipt() ? "ON" : "OFF", operation.declared()));
		if (!policy.message().value().isEmpty()) {
			settings.add(describe(policy.message(), policy.message().value(), operation.declared()));
		}
		ApiIdempotent annotation = operation.annotation();
		if (annotation != null) {
			addRequestSettings(settings, operation, annotation);
		}
		return settings;
	}

	private void addRequestSettings(List<Setting> settings, Description operation, ApiIdempotent annotation) {
		String name = operation.name();
		PolicyValue<?> source = this.policies.keySource(name, annotation);
		// A key expression makes the content the key.
		settings.add((source.place() == Place.DEFAULTS && !annotation.key().isEmpty())
				? new Setting("source", source.value(), "annotation", null, null)
				: describe(source, source.value(), operation.declared()));
		for (PolicyValue<?> value : List.of(this.policies.replayedErrors(name, annotation),
				this.policies.comparedFields(name, annotation), this.policies.ignoredFields(name, annotation))) {
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

}
