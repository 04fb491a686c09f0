package io.idempotent.boot.internal.start;

import java.util.Objects;
import java.util.stream.StreamSupport;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.support.StartUpException;
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
 * Analyzes a {@link StartUpException}. Comes before Spring Boot's analyzers of failed
 * bindings and connections, which know less.
 */
@Order(0)
public class StartUpFailureAnalyzer extends AbstractFailureAnalyzer<StartUpException> {

	private final @Nullable Environment environment;

	public StartUpFailureAnalyzer(@Nullable Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, StartUpException cause) {
		Origin origin = (cause instanceof InvalidConfigurationException invalid) ? origin(invalid) : null;
		return new FailureAnalysis(cause.description() + ((origin != null) ? " (set by " + origin + ")" : ""),
				cause.action(), cause);
	}

	private @Nullable Origin origin(InvalidConfigurationException invalid) {
		if (!(this.environment instanceof ConfigurableEnvironment configurable)) {
			return null;
		}
		// Adapted, because the key of a map may have upper case letters.
		ConfigurationPropertyName name = ConfigurationPropertyName.adapt(invalid.property(), '.');
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
