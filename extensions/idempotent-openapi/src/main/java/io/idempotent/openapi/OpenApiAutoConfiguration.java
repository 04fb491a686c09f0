package io.idempotent.openapi;

import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.webmvc.internal.HttpIdempotency;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springdoc.core.customizers.OpenApiLocaleCustomizer;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Auto-configuration that documents idempotent operations in the documents of springdoc.
 */
@AutoConfiguration(after = IdempotencyWebMvcAutoConfiguration.class)
@ConditionalOnClass({ HttpIdempotency.class, OpenApiLocaleCustomizer.class })
@ConditionalOnBean(HttpIdempotency.class)
@ImportRuntimeHints(OpenApiAutoConfiguration.Hints.class)
public final class OpenApiAutoConfiguration {

	@Bean("io.idempotent.idempotentOperationMarker")
	@ConditionalOnMissingBean(name = "io.idempotent.idempotentOperationMarker")
	GlobalOperationCustomizer idempotentOperationMarker(HttpIdempotency idempotency) {
		return new OperationMarker(idempotency);
	}

	@Bean("io.idempotent.idempotentOperationDocument")
	@ConditionalOnMissingBean(name = "io.idempotent.idempotentOperationDocument")
	OpenApiLocaleCustomizer idempotentOperationDocument(HttpIdempotency idempotency, ApplicationContext messages) {
		return new OperationDocument(idempotency, new OperationDescriptions(idempotency, messages));
	}

	/** The default texts, for a native image. */
	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern("io/idempotent/openapi/*.properties");
			hints.resources().registerResourceBundle("io.idempotent.openapi.descriptions");
		}

	}

}
