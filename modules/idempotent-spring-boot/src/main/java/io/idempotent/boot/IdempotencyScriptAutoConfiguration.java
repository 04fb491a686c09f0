package io.idempotent.boot;

import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.internal.properties.TokenProperties;
import io.idempotent.webmvc.HttpIdempotency;
import io.idempotent.webmvc.script.IdempotencyScript;
import jakarta.servlet.Filter;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerMapping;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the script for browsers, on request.
 */
@AutoConfiguration(after = IdempotencyWebMvcAutoConfiguration.class)
@ConditionalOnClass({ DispatcherServlet.class, HttpIdempotency.class })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty("idempotent.web.script.enabled")
@ConditionalOnBean(HttpIdempotency.class)
public final class IdempotencyScriptAutoConfiguration {

	/** Before Spring Security's (-100), which redirects to the login. */
	private static final int FILTER_ORDER = -101;

	@Bean
	@ConditionalOnMissingBean
	IdempotencyScript idempotencyScript(HttpIdempotency idempotency, IdempotentProperties properties) {
		TokenProperties token = properties.token();
		return idempotency.script(properties.web().script().path(), token.enabled() ? token.path() : "");
	}

	@Bean
	HandlerMapping idempotencyScriptMapping(IdempotencyScript script) {
		return script.mapping();
	}

	@Bean
	@ConditionalOnMissingBean(name = "idempotencyRedirectFilter")
	FilterRegistrationBean<Filter> idempotencyRedirectFilter() {
		FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(IdempotencyScript.redirects());
		registration.setName("idempotencyRedirectFilter");
		registration.setOrder(FILTER_ORDER);
		return registration;
	}

}
