package io.idempotent.test.web;

import io.idempotent.webmvc.IdempotencyTokens;
import jakarta.servlet.Filter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * The filter of {@link io.idempotent.test.AutoConfigureIdempotency#addKeys()}, which a
 * property switches on for tests without that annotation.
 */
@AutoConfiguration
@ConditionalOnClass({ IdempotencyTokens.class, FilterRegistrationBean.class })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty("idempotent.test.add-keys")
public final class AddedKeysAutoConfiguration {

	/** Behind the filters of Spring Security, since a token belongs to a caller. */
	@Bean("io.idempotent.addedKeysFilter")
	FilterRegistrationBean<Filter> addedKeysFilter(Environment environment, ObjectProvider<IdempotencyTokens> tokens) {
		FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(
				new AddedKeysFilter(HttpNames.of(environment), tokens::getIfAvailable));
		registration.setOrder(Ordered.LOWEST_PRECEDENCE);
		return registration;
	}

}
