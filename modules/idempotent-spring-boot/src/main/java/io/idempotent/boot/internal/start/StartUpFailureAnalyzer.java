package io.idempotent.boot.internal.start;

import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
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
		ConfigurationProperty property = (cause instanceof InvalidConfigurationException invalid
				&& this.environment instanceof ConfigurableEnvironment configurable)
						? find(invalid.property(), ConfigurationPropertySources.from(configurable.getPropertySources()))
						: null;
		Origin origin = Origin.from(property);
		return new FailureAnalysis(cause.description() + ((origin != null) ? " (set by " + origin + ")" : ""),
				cause.action(), cause);
	}

	/** Finds a property or, for a list, its first element. */
	private static @Nullable ConfigurationProperty find(String name, Iterable<ConfigurationPropertySource> sources) {
		// Adapted, because the key of a map may have upper case letters.
		ConfigurationPropertyName property = ConfigurationPropertyName.adapt(name, '.');
		return StreamSupport.stream(sources.spliterator(), false)
			.flatMap((source) -> Stream.of(property, property.append("[0]")).map(source::getConfigurationProperty))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

}
