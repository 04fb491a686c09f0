package io.idempotent.administration.autoconfigure;

import java.util.List;
import java.util.Set;

import io.idempotent.administration.autoconfigure.OperationCatalog.Description;
import io.idempotent.boot.internal.policy.PolicyValue;
import io.idempotent.boot.internal.policy.PropertiesOperationPolicies;
import io.idempotent.boot.internal.start.StartUpFailureAnalyzer;
import io.idempotent.engine.policy.DeclaredPolicy;
import io.idempotent.engine.policy.OperationPolicies;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Describes the policies of operations, with the place where each value was set. Those of
 * an {@link OperationPolicies} bean of the application are not known.
 */
final class PolicySettings {

	/** The attributes whose default depends on whether a method listens to messages. */
	private static final Set<String> OF_LISTENERS = Set.of("wait-timeout", "when-in-progress");

	private final OperationPolicies policies;

	/** A view of the sources as they are, which caches the names of each. */
	private final Iterable<ConfigurationPropertySource> sources;

	PolicySettings(OperationPolicies policies, ConfigurableEnvironment environment) {
		this.policies = policies;
		this.sources = ConfigurationPropertySources.from(environment.getPropertySources());
	}

	List<Setting> of(Description operation) {
		return (this.policies instanceof PropertiesOperationPolicies properties)
				? properties.values(operation.name(), operation.declared(), operation.annotation())
					.stream()
					.filter((value) -> !"".equals(value.value()))
					.map((value) -> describe(value, operation.declared()))
					.toList()
				: List.of();
	}

	private Setting describe(PolicyValue<?> value, DeclaredPolicy declared) {
		return switch (value.place()) {
			case OPERATION -> setting(value, value.name(), null, find(value.name()));
			case ANNOTATION -> setting(value, "annotation", placeholder(value, declared), null);
			case DEFAULTS -> byDefault(value, declared);
		};
	}

	private Setting byDefault(PolicyValue<?> value, DeclaredPolicy declared) {
		if (declared.message() && OF_LISTENERS.contains(value.attribute())) {
			return setting(value, "message-listener", null, null);
		}
		ConfigurationProperty property = find(value.name());
		return (property != null) ? setting(value, value.name(), null, property)
				: setting(value, "default", null, null);
	}

	private @Nullable ConfigurationProperty find(String name) {
		return StartUpFailureAnalyzer.find(name, this.sources);
	}

	private static Setting setting(PolicyValue<?> value, String source, @Nullable String declared,
			@Nullable ConfigurationProperty property) {
		Origin origin = Origin.from(property);
		return new Setting(value.inCamelCase(), value.value(), source, declared,
				(origin != null) ? origin.toString() : null);
	}

	/** The text of an annotation that was resolved. */
	private static @Nullable String placeholder(PolicyValue<?> value, DeclaredPolicy declared) {
		String text = switch (value.attribute()) {
			case "lease" -> declared.lease();
			case "retention" -> declared.retention();
			case "wait-timeout" -> declared.waitTimeout();
			case "message" -> declared.refusalMessage();
			default -> "";
		};
		return text.contains("${") ? text : null;
	}

	/**
	 * A setting of an operation, named as in an annotation. The {@code source} is
	 * {@code annotation}, a property, {@code default}, or {@code message-listener} for a
	 * default that depends on the method. {@code declared} is the text of an annotation
	 * that has a placeholder.
	 */
	record Setting(String name, Object value, String source, @Nullable String declared, @Nullable String origin) {
	}

}
