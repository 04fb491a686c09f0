package io.idempotent.boot;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.KeySource;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.method.internal.call.CallExecutor;
import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Annotated beans of a context whose parent has the library.
 */
class ChildContextTests {

	private final ApplicationContextRunner parent = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyCallAutoConfiguration.class, LockAutoConfiguration.class, StartUpAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=local");

	@ParameterizedTest
	@ValueSource(classes = { Payments.class, Jobs.class, Orders.class })
	void anAnnotationWithoutAProxyFailsTheStart(Class<?> bean) {
		this.parent.run((context) -> assertThatExceptionOfType(StartUpException.class)
			.isThrownBy(() -> child(context, bean, Transactions.class))
			.withMessageContainingAll(bean.getSimpleName() + " of the child context 'admin'", "nothing makes proxies")
			.satisfies((refused) -> assertThat(refused.action()).contains("@EnableAspectJAutoProxy")));
	}

	@Test
	void theAdvisorsOfTheParentActInAChildThatMakesProxies() {
		this.parent.run((context) -> {
			try (AnnotationConfigApplicationContext child = child(context, Payments.class, Jobs.class, Proxies.class)) {
				Payments payments = child.getBean(Payments.class);
				assertThat(payments.run("1")).isEqualTo(payments.run("1"));
				assertThat(child.getBean(Jobs.class).run(context.getBean(DistributedLocks.class))).isTrue();
			}
		});
	}

	@Test
	void aGrandchildIsNoException() {
		this.parent.run((context) -> {
			try (AnnotationConfigApplicationContext child = child(context, Proxies.class)) {
				assertThatExceptionOfType(StartUpException.class).isThrownBy(() -> child(child, Payments.class));
			}
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { FinalPayment.class, FinalJob.class })
	void anAnnotationThatCannotWorkFailsTheStart(Class<?> bean) {
		this.parent.run((context) -> assertThatExceptionOfType(StartUpException.class)
			.isThrownBy(() -> child(context, bean, Proxies.class))
			.withMessageContaining(bean.getSimpleName() + ".run is final"));
	}

	@Test
	void aBeanThatIsCreatedBeforeProxiesFailsTheStart() {
		this.parent.run((context) -> assertThatExceptionOfType(StartUpException.class)
			.isThrownBy(() -> child(context, Payments.class, Needing.class, Proxies.class))
			.withMessageContaining("they were created before proxies"));
	}

	@Test
	void aChildWithoutAnnotationsIsFree() {
		this.parent.run((context) -> child(context, Transactions.class).close());
	}

	@Test
	void whatIsSwitchedOffNeedsNoProxy() {
		this.parent.withPropertyValues("idempotent.lock.enabled=false")
			.run((context) -> child(context, Jobs.class).close());
		this.parent.withPropertyValues("idempotent.enabled=false")
			.run((context) -> child(context, Payments.class, Orders.class).close());
	}

	@Test
	void aChildMayHaveTheLibraryItself() {
		this.parent.run((context) -> this.parent.withParent(context)
			.withBean(Payments.class)
			.run((child) -> assertThat(child).hasNotFailed()
				.getBean(CallExecutor.class)
				.isSameAs(context.getBean(CallExecutor.class))));
	}

	/** With the application's own servlet for the other paths, on Tomcat. */
	@Nested
	class OfASecondServlet {

		private final WebApplicationContextRunner server = new WebApplicationContextRunner(
				AnnotationConfigServletWebServerApplicationContext::new)
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class,
					TomcatServletWebServerAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
					WebMvcAutoConfiguration.class, HttpMessageConvertersAutoConfiguration.class,
					IdempotencyAutoConfiguration.class, IdempotencyWebMvcAutoConfiguration.class,
					IdempotencyCallAutoConfiguration.class, StartUpAutoConfiguration.class))
			.withPropertyValues("server.port=0", "idempotent.store.type=local");

		@Test
		void withoutProxiesTheApplicationDoesNotStart() {
			start(Orders.class, WebMvc.class).run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(StartUpException.class)
				.hasMessageContainingAll("Orders of the child context", "nothing makes proxies"));
		}

		@Test
		void withProxiesARepeatIsReplayed() {
			start(Orders.class, WebMvc.class, Proxies.class).run((context) -> {
				int port = context.getSourceApplicationContext(AnnotationConfigServletWebServerApplicationContext.class)
					.getWebServer()
					.getPort();
				String first = post(port, "1");
				assertThat(post(port, "1")).isEqualTo(first);
				assertThat(post(port, "2")).isNotEqualTo(first);
			});
		}

		private WebApplicationContextRunner start(Class<?>... beans) {
			return this.server.withBean(ServletRegistrationBean.class, () -> {
				AnnotationConfigWebApplicationContext child = new AnnotationConfigWebApplicationContext();
				child.register(beans);
				ServletRegistrationBean<?> second = new ServletRegistrationBean<>(new DispatcherServlet(child),
						"/second/*");
				second.setName("second");
				second.setLoadOnStartup(1);
				return second;
			});
		}

		private static String post(int port, String key) {
			return RestClient.create()
				.post()
				.uri("http://localhost:{port}/second/orders", port)
				.header("Idempotency-Key", key)
				.retrieve()
				.body(String.class);
		}

	}

	private static AnnotationConfigApplicationContext child(ApplicationContext parent, Class<?>... beans) {
		AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
		child.setDisplayName("admin");
		child.setParent(parent);
		child.register(beans);
		child.refresh();
		return child;
	}

	static class Payments {

		@Idempotent(key = "#id")
		public long run(String id) {
			return System.nanoTime();
		}

	}

	static class Jobs {

		@DistributedLocked(name = "job")
		public boolean run(DistributedLocks locks) {
			return locks.get("job").isHeldByCurrentThread();
		}

	}

	static class FinalPayment {

		@Idempotent(key = "#id")
		public final void run(String id) {
		}

	}

	static class FinalJob {

		@DistributedLocked(name = "job")
		public final void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Needing {

		@Bean
		static EarlyBeanTests.First first(Payments payments) {
			return new EarlyBeanTests.First(payments);
		}

	}

	@RestController
	static class Orders {

		@PostMapping("/orders")
		@ApiIdempotent(KeySource.HEADER)
		public String run() {
			return String.valueOf(System.nanoTime());
		}

	}

	/** Makes proxies, but with advisors of its own context only. */
	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebMvc
	static class WebMvc {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAspectJAutoProxy
	static class Proxies {

	}

}
