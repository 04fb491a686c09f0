package io.idempotent.autoconfigure;

import java.time.Clock;
import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.OutcomeVerifier;
import io.idempotent.aop.AdvisorOrder;
import io.idempotent.aop.AnnotatedMethodAdvisor;
import io.idempotent.autoconfigure.IdempotentProperties.Token;
import io.idempotent.autoconfigure.IdempotentProperties.TokenMode;
import io.idempotent.autoconfigure.IdempotentProperties.Web;
import io.idempotent.store.IdempotencyGate;
import io.idempotent.web.ApiIdempotentMethodInterceptor;
import io.idempotent.web.HttpIdempotency;
import io.idempotent.web.HttpSettings;
import io.idempotent.web.OutcomeClassifier;
import io.idempotent.web.ProblemRenderer;
import io.idempotent.web.TenantResolver;
import io.idempotent.web.TokenEndpoint;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for idempotent handler methods of Spring MVC.
 */
@AutoConfiguration(after = IdempotencyAutoConfiguration.class, before = WebMvcAutoConfiguration.class)
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@ConditionalOnBean(IdempotencyGate.class)
public final class IdempotencyWebMvcAutoConfiguration {

	@Bean
	HttpIdempotency httpIdempotency(IdempotentProperties properties, IdempotencyGate gate,
			ObjectProvider<TenantResolver> tenants, ObjectProvider<OutcomeClassifier> classifier,
			ObjectProvider<ProblemRenderer> problems, ObjectProvider<OutcomeVerifier> verifier,
			ConfigurableApplicationContext context) {
		HttpIdempotency.Collaborators collaborators = new HttpIdempotency.Collaborators(tenants.getIfUnique(),
				classifier.getIfUnique(), problems.getIfUnique(), context, verifier.getIfUnique() != null);
		try {
			return new HttpIdempotency(gate, settings(properties, context.getEnvironment()),
					new PropertiesOperationPolicies(properties, context.getEnvironment()::resolveRequiredPlaceholders),
					tokens(properties.getToken()), collaborators, context.getBeanFactory());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationException(ex);
		}
	}

	@Bean
	FilterRegistrationBean<Filter> idempotencyFilter(IdempotentProperties properties) {
		FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(HttpIdempotency.filter());
		registration.setName("idempotencyFilter");
		registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
		registration.setOrder(properties.getWeb().getFilterOrder());
		return registration;
	}

	@Bean
	HandlerExceptionResolver idempotencyExceptionResolver(HttpIdempotency idempotency) {
		return idempotency.exceptionResolver();
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "idempotent.token.enabled", matchIfMissing = true)
	TokenEndpoint idempotencyTokenEndpoint(HttpIdempotency idempotency) {
		return idempotency.tokenEndpoint();
	}

	@Bean
	WebMvcConfigurer idempotencyWebMvcConfigurer(ObjectProvider<HttpIdempotency> idempotency) {
		return new WebMvcConfigurer() {

			@Override
			public void addInterceptors(InterceptorRegistry registry) {
				// After the application's own: they may refuse a caller.
				registry.addInterceptor(idempotency.getObject().interceptor()).order(Ordered.LOWEST_PRECEDENCE);
			}

			@Override
			public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
				resolvers.add(HttpIdempotency.argumentResolver());
			}

		};
	}

	@Bean
	SmartInitializingSingleton idempotencyHandlerCheck(HttpIdempotency idempotency,
			ObjectProvider<RequestMappingHandlerMapping> mappings) {
		return () -> mappings.forEach((mapping) -> mapping.getHandlerMethods().values().forEach(idempotency::check));
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static AnnotatedMethodAdvisor apiIdempotentAdvisor() {
		return new AnnotatedMethodAdvisor(ApiIdempotent.class, AdvisorOrder.IDEMPOTENCY,
				new ApiIdempotentMethodInterceptor());
	}

	private static HttpSettings settings(IdempotentProperties properties, Environment environment) {
		Web web = properties.getWeb();
		Token token = properties.getToken();
		String namespace = (properties.getNamespace() != null) ? properties.getNamespace()
				: environment.getProperty("spring.application.name", "application");
		return new HttpSettings(namespace, web.getKeyHeader(), token.getHeader(), token.getParameter(),
				web.getReplayedHeader(), web.getReplayHeaders(),
				bytes("idempotent.web.max-request-body", web.getMaxRequestBody()),
				bytes("idempotent.web.max-response-body", web.getMaxResponseBody()), web.isBindToSession());
	}

	private static HttpIdempotency.Tokens tokens(Token token) {
		if (token.getTimeToLive().isZero() || token.getTimeToLive().isNegative()) {
			throw new IllegalArgumentException("idempotent.token.time-to-live is " + token.getTimeToLive()
					+ ", but a token must live for a positive time such as 10m");
		}
		if (token.getMode() == TokenMode.STORED) {
			return new HttpIdempotency.Tokens.Stored(token.getTimeToLive());
		}
		String activeKey = token.getSigning().getActiveKey();
		if (activeKey == null) {
			throw new IllegalArgumentException("idempotent.token.mode is signed, but "
					+ "idempotent.token.signing.active-key does not say which of idempotent.token.signing.keys signs");
		}
		return new HttpIdempotency.Tokens.Signed(token.getTimeToLive(), activeKey, token.getSigning().getKeys(),
				Clock.systemUTC());
	}

	private static int bytes(String property, DataSize size) {
		if (size.toBytes() < 0 || size.toBytes() > Integer.MAX_VALUE - 8) {
			throw new IllegalArgumentException(
					property + " is " + size + ", but must lie between 0 and 2 GB: it is held in memory");
		}
		return (int) size.toBytes();
	}

}
