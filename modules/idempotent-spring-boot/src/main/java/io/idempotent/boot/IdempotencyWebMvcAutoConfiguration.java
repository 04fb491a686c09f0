package io.idempotent.boot;

import java.time.Clock;
import java.util.List;
import java.util.Map;

import io.idempotent.ApiIdempotent;
import io.idempotent.OutcomeVerifier;
import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.internal.properties.TokenProperties;
import io.idempotent.boot.internal.properties.WebProperties;
import io.idempotent.boot.internal.web.HandlerChecks;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.boot.settings.PropertyAssertions;
import io.idempotent.method.OperationNames;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.policy.OperationPolicies;
import io.idempotent.support.AdvisorOrder;
import io.idempotent.support.AnnotatedMethodAdvisor;
import io.idempotent.support.MethodAnnotations;
import io.idempotent.webmvc.CallerResolver;
import io.idempotent.webmvc.IdempotencyTokens;
import io.idempotent.webmvc.OutcomeClassifier;
import io.idempotent.webmvc.ProblemRenderer;
import io.idempotent.webmvc.ReplayAuthorizer;
import io.idempotent.webmvc.internal.HttpIdempotency;
import io.idempotent.webmvc.internal.dispatch.ApiIdempotentMethodInterceptor;
import io.idempotent.webmvc.internal.dispatch.IdempotencyContextArgumentResolver;
import io.idempotent.webmvc.internal.dispatch.IdempotencyFilter;
import io.idempotent.webmvc.internal.key.TokenEndpoint;
import io.idempotent.webmvc.internal.key.TokenService;
import io.idempotent.webmvc.internal.key.TokenSigner;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.servlet.mvc.support.DefaultHandlerExceptionResolver;

/**
 * Auto-configuration for idempotent handler methods of Spring MVC.
 */
@AutoConfiguration(after = IdempotencyAutoConfiguration.class,
		beforeName = { "org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration",
				"org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration" },
		afterName = { "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
				"org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration" })
@ConditionalOnClass({ DispatcherServlet.class, HttpIdempotency.class })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@ConditionalOnBean(IdempotencyGate.class)
public final class IdempotencyWebMvcAutoConfiguration {

	/** The form field with a token. No field of an application has this name. */
	private static final String TOKEN_FIELD = "_idempotentToken";

	@Bean("io.idempotent.httpIdempotency")
	@ConditionalOnMissingBean
	HttpIdempotency httpIdempotency(IdempotentProperties properties, IdempotencyGate gate, OperationPolicies policies,
			OperationNames names, ObjectProvider<CallerResolver> callers, ObjectProvider<OutcomeClassifier> classifier,
			ObjectProvider<ReplayAuthorizer> authorizer, ObjectProvider<ProblemRenderer> problems,
			ObjectProvider<OutcomeVerifier> verifier, ConfigurableApplicationContext context) {
		HttpIdempotency.Collaborators collaborators = new HttpIdempotency.Collaborators(callers.getIfAvailable(),
				classifier.getIfAvailable(), authorizer.getIfAvailable(), problems.getIfAvailable(), context,
				verifier.getIfAvailable() != null);
		HttpSettings settings = settings(properties, context.getEnvironment());
		return new HttpIdempotency(gate, settings, policies, names,
				tokens(properties.token(), gate, settings.namespace()), collaborators, context.getBeanFactory());
	}

	@Bean("io.idempotent.idempotencyFilter")
	FilterRegistrationBean<Filter> idempotencyFilter(IdempotentProperties properties) {
		FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(new IdempotencyFilter());
		registration.setName("io.idempotent.idempotencyFilter");
		registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
		registration.setOrder(properties.web().filterOrder());
		return registration;
	}

	@Bean("io.idempotent.idempotencyHandlerAdapter")
	HandlerAdapter idempotencyHandlerAdapter(HttpIdempotency idempotency, ObjectProvider<HandlerAdapter> adapters) {
		return idempotency.handlerAdapter(SingletonSupplier.of(() -> adapters.orderedStream().toList()));
	}

	@Bean("io.idempotent.idempotencyExceptionResolver")
	HandlerExceptionResolver idempotencyExceptionResolver(HttpIdempotency idempotency) {
		return idempotency.exceptionResolver();
	}

	@Bean("io.idempotent.lockExceptionResolver")
	@ConditionalOnBooleanProperty(name = "idempotent.lock.enabled", matchIfMissing = true)
	HandlerExceptionResolver lockExceptionResolver(HttpIdempotency idempotency) {
		return idempotency.lockExceptionResolver();
	}

	@Bean("io.idempotent.idempotencyTokens")
	@ConditionalOnMissingBean
	IdempotencyTokens idempotencyTokens(HttpIdempotency idempotency) {
		return idempotency.tokens();
	}

	@Bean("io.idempotent.idempotencyTokenEndpoint")
	@ConditionalOnBean(IdempotencyStore.class)
	@ConditionalOnBooleanProperty(name = "idempotent.token.enabled", matchIfMissing = true)
	@Conditional(TokensCondition.class)
	TokenEndpoint idempotencyTokenEndpoint(HttpIdempotency idempotency) {
		return new TokenEndpoint(idempotency.tokens());
	}

	@Bean("io.idempotent.idempotencyWebMvcConfigurer")
	WebMvcConfigurer idempotencyWebMvcConfigurer(ObjectProvider<HttpIdempotency> idempotency) {
		return new WebMvcConfigurer() {

			@Override
			public void addInterceptors(InterceptorRegistry registry) {
				// After the application's interceptors, which may refuse a caller.
				registry.addInterceptor(idempotency.getObject().interceptor()).order(Ordered.LOWEST_PRECEDENCE);
			}

			@Override
			public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
				resolvers.add(new IdempotencyContextArgumentResolver());
			}

			@Override
			public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
				int last = resolvers.size();
				for (int i = last - 1; i >= 0; i--) {
					last = (resolvers.get(i) instanceof DefaultHandlerExceptionResolver) ? i : last;
				}
				resolvers.addAll(last, idempotency.getObject().lastExceptionResolvers());
			}

		};
	}

	@Bean("io.idempotent.idempotencyHandlerCheck")
	SmartInitializingSingleton idempotencyHandlerCheck(HttpIdempotency idempotency, IdempotentProperties properties,
			ObjectProvider<TokenEndpoint> tokens, ConfigurableListableBeanFactory beans) {
		return () -> {
			Map<String, RequestMappingHandlerMapping> mappings = beans
				.getBeansOfType(RequestMappingHandlerMapping.class);
			mappings.forEach((name, mapping) -> {
				idempotency.check(name, mapping);
				tokens.ifAvailable((endpoint) -> idempotency.serveTokens(endpoint, properties.token().path(), mapping));
			});
			HandlerChecks.requireMappings(beans, mappings.values(), idempotency);
			HandlerChecks.warnOfUnknownCallers(beans, properties.web().bindToSession(), idempotency.replayedByKey());
		};
	}

	@Bean("io.idempotent.apiIdempotentAdvisor")
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static AnnotatedMethodAdvisor apiIdempotentAdvisor() {
		return new AnnotatedMethodAdvisor(
				(method, type) -> MethodAnnotations.isOfServer(method, type, ApiIdempotent.class),
				AdvisorOrder.IDEMPOTENCY, new ApiIdempotentMethodInterceptor());
	}

	private static HttpSettings settings(IdempotentProperties properties, Environment environment) {
		WebProperties web = properties.web();
		TokenProperties token = properties.token();
		web.replayHeaders()
			.forEach(
					(header) -> PropertyAssertions.that(HttpSettings.mayReplay(header), "idempotent.web.replay-headers",
							header, "this header belongs to one connection, caller or response and is never replayed",
							"Remove it from the list"));
		requireDistinct("idempotent.token.header", token.header(), "idempotent.web.key-header", web.keyHeader());
		return new HttpSettings(Namespace.in(environment), web.keyHeader(), token.header(), TOKEN_FIELD,
				web.replayHeaders(), Math.toIntExact(web.maxRequestBody().toBytes()),
				Math.toIntExact(web.maxResponseBody().toBytes()), web.bindToSession(), web.problemBase(),
				web.protocol());
	}

	private static void requireDistinct(String property, String header, String other, String taken) {
		PropertyAssertions.that(!header.equalsIgnoreCase(taken), property, header,
				other + " is the same header, so that one could not be distinguished from the other",
				"Choose different names");
	}

	private static TokenService tokens(TokenProperties token, IdempotencyGate gate, String namespace) {
		String key = token.signing().activeKey();
		return new TokenService(gate, (key != null) ? new TokenSigner(namespace, key, token.signing().keys()) : null,
				namespace, token.timeToLive(), Clock.systemUTC());
	}

	/** Receipts cannot issue tokens. */
	static final class TokensCondition extends NoneNestedConditions {

		TokensCondition() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnProperty(name = "idempotent.store.type", havingValue = "receipt")
		static final class OnReceiptStore {

		}

	}

}
