package io.idempotent.boot;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyProfile;
import io.idempotent.KeySource;
import io.idempotent.OutcomeVerifier;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.internal.policy.PropertiesOperationPolicies;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.jdbc.store.JdbcIdempotencyStore;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.method.OperationNames;
import io.idempotent.redis.RedisIdempotencyStore;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.policy.OperationPolicies;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.support.AnnotatedMethodAdvisor;
import io.idempotent.support.StartUpException;
import io.idempotent.webmvc.Caller;
import io.idempotent.webmvc.CallerResolver;
import io.idempotent.webmvc.OutcomeClassifier;
import io.idempotent.webmvc.OutcomeClassifier.OutcomeClass;
import io.idempotent.webmvc.ProblemRenderer;
import io.idempotent.webmvc.internal.HttpIdempotency;
import io.idempotent.webmvc.internal.key.TokenEndpoint;
import io.idempotent.webmvc.internal.key.TokenService;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;

class IdempotencyWebMvcAutoConfigurationTests {

	private static final AutoConfigurations OURS = AutoConfigurations.of(AopAutoConfiguration.class,
			DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class, IdempotencyAutoConfiguration.class,
			IdempotencyWebMvcAutoConfiguration.class);

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner().withConfiguration(OURS)
		.withPropertyValues("idempotent.store.type=local")
		.withUserConfiguration(Orders.class);

	private WebApplicationContextRunner locksAlone(Class<?> controllers) {
		return new WebApplicationContextRunner().withConfiguration(OURS)
			.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class,
					IdempotencyCallAutoConfiguration.class, DataRedisAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(RedisIdempotencyStore.class, JdbcIdempotencyStore.class))
			.withPropertyValues("idempotent.lock.engines=local")
			.withUserConfiguration(controllers);
	}

	@Test
	void locksWorkWithoutAStore() {
		locksAlone(Reports.class).run((context) -> {
			MockMvcTester mvc = MockMvcTester.from(context);
			assertThat(mvc.post().uri("/reports")).hasStatusOk();
			DistributedLock lock = context.getBean(DistributedLocks.class).get("report");
			CompletableFuture.runAsync(lock::lock).join();
			assertThat(mvc.post().uri("/reports")).hasStatus(409).bodyText().contains("locked");
			assertThat(mvc.get().uri("/token")).hasStatus(404);
		});
	}

	@Test
	void anOperationNeedsAStoreBesideLocks() {
		locksAlone(Payments.class).run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOf(StartUpException.class)
			.hasMessageContaining("The redis store was chosen"));
	}

	@Test
	void aStoreThatIsChosenIsNeededBesideLocks() {
		locksAlone(Reports.class).withPropertyValues("idempotent.store.type=redis")
			.run((context) -> assertThat(context).getFailure().rootCause().isInstanceOf(StartUpException.class));
	}

	@Test
	void theFilterFollowsSecurityAndSeesAsyncDispatches() {
		this.runner.run((context) -> {
			FilterRegistrationBean<?> filter = context.getBean("io.idempotent.idempotencyFilter",
					FilterRegistrationBean.class);
			assertThat(filter.getOrder()).isEqualTo(-50);
			assertThat(filter.determineDispatcherTypes()).containsExactlyInAnyOrder(DispatcherType.REQUEST,
					DispatcherType.ASYNC);
		});
	}

	@Test
	void thePropertySetsTheOrderOfTheFilter() {
		this.runner.withPropertyValues("idempotent.web.filter-order=7")
			.run((context) -> assertThat(
					context.getBean("io.idempotent.idempotencyFilter", FilterRegistrationBean.class).getOrder())
				.isEqualTo(7));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theApplicationMayUseAnyNameForItsBeans(boolean overriding) {
		this.runner.run((library) -> {
			WebApplicationContextRunner named = this.runner.withAllowBeanDefinitionOverriding(overriding);
			for (String name : library.getBeanDefinitionNames()) {
				if (name.matches("io\\.idempotent\\.\\w+")) {
					named = named.withBean(name.substring("io.idempotent.".length()), String.class, () -> "its own");
				}
			}
			named.run((context) -> {
				assertThat(context).getBean("idempotencyFilter").isEqualTo("its own");
				MockMvcTester mvc = mvc(context);
				assertThat(submit(mvc, "1")).hasBodyTextEqualTo("1");
				assertThat(submit(mvc, "1")).hasBodyTextEqualTo("1").hasHeader("Idempotency-Replayed", "true");
			});
		});
	}

	@Test
	void theInterceptorComesAfterOneOfLowestPrecedence() {
		this.runner.withUserConfiguration(LastInterceptor.class).run((context) -> {
			List<HandlerInterceptor> interceptors = context.getBean(RequestMappingHandlerMapping.class)
				.getHandler(new MockHttpServletRequest("POST", "/orders"))
				.getInterceptorList();
			assertThat(interceptors).contains(LastInterceptor.INTERCEPTOR);
			assertThat(interceptors).last().isSameAs(context.getBean(HttpIdempotency.class).interceptor());
		});
	}

	@Test
	void theExceptionResolverComesFirst() {
		this.runner.run((context) -> {
			List<HandlerExceptionResolver> resolvers = new ArrayList<>(
					context.getBeansOfType(HandlerExceptionResolver.class).values());
			AnnotationAwareOrderComparator.sort(resolvers);
			assertThat(resolvers).hasSizeGreaterThan(1)
				.first()
				.isSameAs(context.getBean("io.idempotent.idempotencyExceptionResolver"));
		});
	}

	@Test
	void theUsersOwnWiringWins() {
		this.runner.withUserConfiguration(OwnWiring.class).run((context) -> {
			assertThat(context).getBean(HttpIdempotency.class).isSameAs(context.getBean("own"));
			assertThat(context).getBean(TokenEndpoint.class)
				.isEqualTo(new TokenEndpoint(context.getBean(HttpIdempotency.class).tokens()));
		});
	}

	@Test
	void theUsersOwnPoliciesWin() {
		OperationPolicies own = mock();
		Duration time = Duration.ofMinutes(1);
		given(own.policy(any(), any())).willReturn(new OperationPolicy("own", time, time, time, WhenCompleted.REPLAY,
				WhenInProgress.REJECT, WhenUnknown.RERUN, WhenFailed.RELEASE, WhenStoreFails.REJECT, false, false, ""));
		given(own.source(any(), any())).willReturn(KeySource.HEADER);
		given(own.resolve(any())).willAnswer((text) -> text.getArgument(0));
		given(own.fields(any(), any())).willCallRealMethod();
		given(own.replayErrors(any(), any())).willCallRealMethod();
		this.runner.withBean(OperationPolicies.class, () -> own).run((context) -> {
			assertThat(context).doesNotHaveBean(PropertiesOperationPolicies.class);
			assertThat(submit(mvc(context), "1")).hasStatusOk();
			then(own).should(atLeastOnce()).policy(any(), any());
		});
	}

	@Test
	void theTokenEndpointHasThePathOfTheProperty() {
		this.runner.withPropertyValues("idempotent.token.path=/form-token").run((context) -> {
			assertThat(mvc(context).get().uri("/form-token")).hasStatusOk();
			assertThat(mvc(context).get().uri("/token")).hasStatus(404);
		});
	}

	@Test
	void theTokenEndpointCanBeSwitchedOff() {
		this.runner.withPropertyValues("idempotent.token.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(TokenEndpoint.class);
			assertThat(mvc(context).get().uri("/token")).hasStatus(404);
		});
	}

	@Test
	void tokensCanBeSigned() {
		this.runner
			.withPropertyValues("idempotent.token.signing.active-key=k1",
					"idempotent.token.signing.keys.k1=0123456789abcdef0123456789abcdef")
			.run((context) -> assertThat(mvc(context).get().uri("/token").accept("text/plain")).hasStatusOk()
				.bodyText()
				.startsWith("k1."));
	}

	@Test
	void aCallerResolverOfTheUserIdentifiesCallers() {
		CallerResolver byHeader = (request) -> Caller.ANONYMOUS.inTenant(request.getHeader("Tenant"));
		this.runner.withBean(CallerResolver.class, () -> byHeader).run((context) -> {
			MockMvcTester mvc = mvc(context);
			assertThat(mvc.post().uri("/orders").header("Idempotency-Key", "1").header("Tenant", "a"))
				.hasBodyTextEqualTo("1");
			assertThat(mvc.post().uri("/orders").header("Idempotency-Key", "1").header("Tenant", "b"))
				.hasBodyTextEqualTo("2");
		});
	}

	@Test
	void aClassifierOfTheUserIsUsed() {
		this.runner.withBean(OutcomeClassifier.class, () -> (operation, answer) -> OutcomeClass.NO_EFFECT)
			.run((context) -> {
				MockMvcTester mvc = mvc(context);
				assertThat(submit(mvc, "1")).hasBodyTextEqualTo("1");
				assertThat(submit(mvc, "1")).hasBodyTextEqualTo("2");
			});
	}

	@Test
	void theUsersRendererWritesRefusals() {
		this.runner
			.withBean(ProblemRenderer.class,
					() -> (refusal, request, response) -> response.sendError(418, refusal.code()))
			.run((context) -> assertThat(mvc(context).post().uri("/orders")).hasStatus(418));
	}

	@ParameterizedTest
	@ValueSource(classes = { OutcomeClassifier.class, CallerResolver.class, ProblemRenderer.class })
	<T> void theUserChoosesBetweenTwo(Class<T> type) {
		this.runner.withBean("one", type, () -> mock(type))
			.withBean("other", type, () -> mock(type))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(NoUniqueBeanDefinitionException.class)
				.hasMessageContaining("one,other"));
	}

	@Test
	void aVerifierAllowsAnOperationToAsk() {
		this.runner.withPropertyValues("idempotent.defaults.when-unknown=ask")
			.withBean(OutcomeVerifier.class, () -> mock())
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void idempotentEnabledLeavesNothing() {
		this.runner.withPropertyValues("idempotent.enabled=false").run((context) -> {
			assertThat(context.getBeanDefinitionNames()).filteredOn((name) -> !name.contains("Tests"))
				.noneMatch((name) -> name.toLowerCase(Locale.ROOT).contains("idempoten"));
			assertThat(submit(MockMvcTester.from(context), "1")).hasBodyTextEqualTo("1");
			assertThat(submit(MockMvcTester.from(context), "1")).hasBodyTextEqualTo("2");
		});
	}

	@Test
	void theContextOfASubmissionIsAbsentWithoutTheLibrary() {
		this.runner.withConfiguration(AutoConfigurations.of(StartUpAutoConfiguration.class))
			.withPropertyValues("idempotent.enabled=false")
			.run((context) -> assertThat(MockMvcTester.from(context).post().uri("/contexts"))
				.hasBodyTextEqualTo("context: null"));
	}

	@Test
	void withoutAGateThereIsNothing() {
		new WebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(AopAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
							WebMvcAutoConfiguration.class, IdempotencyWebMvcAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(HttpIdempotency.class));
	}

	@Test
	void anApplicationWithoutAWebServerStarts() {
		new ApplicationContextRunner().withConfiguration(OURS)
			.withPropertyValues("idempotent.store.type=local")
			.run((context) -> assertThat(context).hasSingleBean(IdempotencyGate.class)
				.doesNotHaveBean(HttpIdempotency.class)
				.doesNotHaveBean(AnnotatedMethodAdvisor.class));
	}

	@Test
	void withoutWebMvcThereIsOnlyTheGate() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(IdempotencyAutoConfiguration.class, IdempotencyWebMvcAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(DispatcherServlet.class, Servlet.class))
			.withPropertyValues("idempotent.store.type=local")
			.run((context) -> assertThat(context).hasSingleBean(IdempotencyGate.class)
				.doesNotHaveBean(HttpIdempotency.class));
	}

	private static MockMvcTester mvc(AssertableWebApplicationContext context) {
		Filter filter = context.getBean("io.idempotent.idempotencyFilter", FilterRegistrationBean.class).getFilter();
		return MockMvcTester.from(context, (builder) -> builder.addFilters(filter).build());
	}

	private static MvcTestResult submit(MockMvcTester mvc, String key) {
		return mvc.post().uri("/orders").header("Idempotency-Key", key).exchange();
	}

	@RestController
	static class Orders {

		private final AtomicInteger made = new AtomicInteger();

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/orders")
		String create() {
			return String.valueOf(this.made.incrementAndGet());
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/contexts")
		String context(@Nullable IdempotencyContext context) {
			return "context: " + context;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LastInterceptor implements WebMvcConfigurer {

		static final HandlerInterceptor INTERCEPTOR = new HandlerInterceptor() {
		};

		@Override
		public void addInterceptors(InterceptorRegistry registry) {
			registry.addInterceptor(INTERCEPTOR).order(Ordered.LOWEST_PRECEDENCE);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnWiring {

		@Bean
		HttpIdempotency own(IdempotencyGate gate, OperationPolicies policies, ConfigurableApplicationContext context) {
			HttpSettings settings = new HttpSettings("shop", "Key", "Token", "_token", List.of(), 1000, 1000, false,
					"urn:problem:", IdempotencyProfile.IDEMPOTENT.protocol());
			return new HttpIdempotency(gate, settings, policies, new OperationNames(),
					new TokenService(gate, null, "shop", Duration.ofMinutes(1), Clock.systemUTC()),
					new HttpIdempotency.Collaborators(null, null, null, null, context, false),
					context.getBeanFactory());
		}

	}

	/** Public for its proxy, which another class loader defines. */
	@RestController
	public static class Payments {

		@ApiIdempotent
		@PostMapping("/payments")
		public String pay() {
			return "paid";
		}

	}

	/** Public for its proxy, which another class loader defines. */
	@RestController
	public static class Reports {

		@PostMapping("/reports")
		@DistributedLocked(name = "report", waitTime = "0s")
		public String report() {
			return "written";
		}

	}

}
