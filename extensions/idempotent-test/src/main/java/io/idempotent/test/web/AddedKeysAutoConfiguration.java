package io.idempotent.test.web;

import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.webmvc.IdempotencyTokens;
import jakarta.servlet.Filter;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * The filter of {@link io.idempotent.test.AutoConfigureIdempotency#addKeys()}, which a
 * property switches on for tests without that annotation. Without either, a hint in the
 * log says how to add keys.
 */
@AutoConfiguration
@ConditionalOnClass({ IdempotencyTokens.class, FilterRegistrationBean.class })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@EnableConfigurationProperties(TestProperties.class)
public final class AddedKeysAutoConfiguration {

	private static final Log logger = LogFactory.getLog(AddedKeysAutoConfiguration.class);

	/** Behind the filters of Spring Security, since a token belongs to a caller. */
	@Bean("io.idempotent.addedKeysFilter")
	FilterRegistrationBean<Filter> addedKeysFilter(TestProperties properties, Environment environment,
			ObjectProvider<IdempotencyTokens> tokens) {
		FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(properties.addKeys()
				? new AddedKeysFilter(HttpNames.of(environment), tokens::getIfAvailable) : hintOfMissingKeys());
		registration.setOrder(Ordered.LOWEST_PRECEDENCE);
		return registration;
	}

	/** Once for each context. */
	private static Filter hintOfMissingKeys() {
		AtomicBoolean told = new AtomicBoolean();
		return (request, response, chain) -> {
			chain.doFilter(request, response);
			if (request
				.getAttribute(DispatcherServlet.EXCEPTION_ATTRIBUTE) instanceof SubmissionRefusedException refused
					&& refused.refusal() == Refusal.KEY_MISSING && !told.getAndSet(true)) {
				logger.info("A request of this test was refused, since it has no key: with "
						+ "idempotent.test.add-keys=true, or @AutoConfigureIdempotency(addKeys = true), each request "
						+ "gets a key and a token");
			}
		};
	}

}
