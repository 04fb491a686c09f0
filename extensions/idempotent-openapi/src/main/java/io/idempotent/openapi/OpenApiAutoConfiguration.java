package io.idempotent.openapi;

import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.webmvc.internal.HttpIdempotency;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springdoc.core.customizers.OpenApiLocaleCustomizer;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration that documents idempotent operations in the documents of springdoc.
 */
@AutoConfiguration(after = IdempotencyWebMvcAutoConfiguration.class)
@ConditionalOnClass({ HttpIdempotency.class, OpenApiLocaleCustomizer.class })
@ConditionalOnBean(HttpIdempotency.class)
public final class OpenApiAutoConfiguration {

	@Bean("io.idempotent.idempotentOperationMarker")
	@ConditionalOnMissingBean(name = "io.idempotent.idempotentOperationMarker")
	GlobalOperationCustomizer idempotentOperationMarker(HttpIdempotency idempotency) {
		return OperationMarker.create(idempotency.descriptions());
	}

	@Bean("io.idempotent.idempotentOperationDocument")
	@ConditionalOnMissingBean(name = "io.idempotent.idempotentOperationDocument")
	OpenApiLocaleCustomizer idempotentOperationDocument(HttpIdempotency idempotency) {
		return new OperationDocument(idempotency.descriptions());
	}

}
