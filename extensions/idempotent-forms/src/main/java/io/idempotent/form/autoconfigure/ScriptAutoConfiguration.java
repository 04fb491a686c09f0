package io.idempotent.form.autoconfigure;

import java.io.IOException;
import java.util.Map;

import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.boot.settings.PropertyAssertions;
import io.idempotent.webmvc.internal.HttpIdempotency;
import io.idempotent.webmvc.internal.key.TokenEndpoint;
import jakarta.servlet.Filter;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/**
 * Auto-configuration for the script for browsers, on request.
 */
@AutoConfiguration(after = IdempotencyWebMvcAutoConfiguration.class)
@ConditionalOnClass({ DispatcherServlet.class, HttpIdempotency.class })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty("idempotent.web.script.enabled")
@ConditionalOnBean(HttpIdempotency.class)
@EnableConfigurationProperties(ScriptProperties.class)
@ImportRuntimeHints(ScriptAutoConfiguration.Hints.class)
public final class ScriptAutoConfiguration {

	/** Before Spring Security's (-100), which redirects to the login. */
	private static final int FILTER_ORDER = -101;

	/** After the controllers of the application, before static resources. */
	private static final int MAPPING_ORDER = 1;

	@Bean("io.idempotent.idempotencyScriptMapping")
	HandlerMapping idempotencyScriptMapping(HttpIdempotency idempotency, ScriptProperties properties,
			ObjectProvider<TokenEndpoint> tokens, @Value("${idempotent.token.path:/token}") String tokenPath)
			throws IOException {
		String path = properties.path();
		String tokensAt = (tokens.getIfAvailable() != null) ? tokenPath : "";
		PropertyAssertions.that(!path.equals(tokensAt), "idempotent.web.script.path", path,
				"idempotent.token.path is the same", "Give another path, such as /js/idempotent.js");
		return new SimpleUrlHandlerMapping(Map.of(path, new IdempotencyScript(path, tokensAt, idempotency.settings())),
				MAPPING_ORDER);
	}

	/**
	 * Lets the script read the target of a redirect, which browsers hide from scripts.
	 */
	@Bean("io.idempotent.idempotencyRedirectFilter")
	FilterRegistrationBean<Filter> idempotencyRedirectFilter() {
		FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(new ReadableRedirectFilter());
		registration.setName("io.idempotent.idempotencyRedirectFilter");
		registration.setOrder(FILTER_ORDER);
		return registration;
	}

	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern("io/idempotent/form/script/*");
		}

	}

}
