package io.idempotent.graphql;

import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.boot.internal.web.HandlerChecks;
import io.idempotent.method.IdempotentMethods;
import io.idempotent.method.MessageIdentity;
import io.idempotent.webmvc.internal.HttpIdempotency;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.graphql.autoconfigure.GraphQlSourceBuilderCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.graphql.execution.DataFetcherExceptionResolver;
import org.springframework.graphql.server.WebGraphQlInterceptor;

/**
 * Auto-configuration for mutations of Spring for GraphQL on Spring MVC.
 */
@AutoConfiguration(after = { IdempotencyWebMvcAutoConfiguration.class, IdempotencyCallAutoConfiguration.class })
@ConditionalOnClass({ GraphQlSourceBuilderCustomizer.class, WebGraphQlInterceptor.class, HttpIdempotency.class })
public final class GraphQlIdempotencyAutoConfiguration {

	/** Also while idempotency is switched off: documents of clients stay valid. */
	@Bean("io.idempotent.idempotentDirective")
	GraphQlSourceBuilderCustomizer idempotentDirective() {
		return (builder) -> builder.configureTypeDefinitions(IdempotentDirective::define);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(HttpIdempotency.class)
	static class MutationConfiguration {

		@Bean("io.idempotent.idempotentMutationSender")
		WebGraphQlInterceptor idempotentMutationSender(HttpIdempotency http) {
			return new SenderInterceptor(http.tokens().callers(), http.settings().keyHeader());
		}

		@Bean("io.idempotent.idempotentMutationIdentity")
		MessageIdentity idempotentMutationIdentity(HttpIdempotency http) {
			return new MutationIdentity(http.settings());
		}

		@Bean("io.idempotent.idempotentMutationErrors")
		DataFetcherExceptionResolver idempotentMutationErrors(HttpIdempotency http, ApplicationContext context) {
			return new RefusalErrors(http.settings(), http.refusals(), context);
		}

		/** After the check of the methods, when they are known. */
		@Bean("io.idempotent.idempotentMutationCallerCheck")
		@ConditionalOnBean(IdempotentMethods.class)
		SmartInitializingSingleton idempotentMutationCallerCheck(HttpIdempotency http, IdempotentMethods methods,
				BeanFactory beans) {
			return () -> HandlerChecks.warnOfUnknownCallers(beans, http.settings().bindToSession(),
					methods.replayedByKey());
		}

	}

}
