package io.idempotent.boot;

import java.util.Objects;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Analyzes an {@link InvalidConfigurationException}: the property, where it is set and
 * what to do. Comes before Spring Boot's analyzer of failed bindings, which names only
 * the group of the property.
 */
@Order(0)
class InvalidConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

	private final @Nullable Environment environment;

	InvalidConfigurationFailureAnalyzer(@Nullable Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
		Origin origin = (cause.origin() != null) ? cause.origin() : find(cause.property());
		return new FailureAnalysis(cause.description() + ((origin != null) ? " (set by " + origin + ")" : ""),
				cause.action(), cause);
	}

	private @Nullable Origin find(String property) {
		if (!(this.environment instanceof ConfigurableEnvironment configurable)) {
			return null;
		}
		// Adapted, because the key of a map may have upper case letters.
		ConfigurationPropertyName name = ConfigurationPropertyName.adapt(property, '.');
		return StreamSupport
			.stream(ConfigurationPropertySources.from(configurable.getPropertySources()).spliterator(), false)
			.map((source) -> source.getConfigurationProperty(name))
			.filter(Objects::nonNull)
			.map(ConfigurationProperty::getOrigin)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

}
