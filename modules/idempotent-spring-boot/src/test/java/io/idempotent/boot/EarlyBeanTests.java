package io.idempotent.boot;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.KeySource;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.PriorityOrdered;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Annotated beans without a proxy, such as one that a {@code BeanPostProcessor} needs.
 */
class EarlyBeanTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyCallAutoConfiguration.class, LockAutoConfiguration.class, StartUpAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=local");

	@ParameterizedTest
	@ValueSource(classes = { Payments.class, Jobs.class, Orders.class })
	void aBeanThatIsCreatedBeforeProxiesFailsTheStart(Class<?> bean) {
		this.runner.withBean("early", bean)
			.withUserConfiguration(Needing.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(StartUpException.class,
						(refused) -> assertThat(refused.action()).contains("ObjectProvider"))
				.hasMessageContaining("the beans early: they were created before proxies"));
	}

	@ParameterizedTest
	@ValueSource(classes = { Payments.class, Jobs.class, Orders.class })
	void aBeanFailsTheStartWhereNothingMakesProxies(Class<?> bean) {
		for (boolean lazy : new boolean[] { false, true }) {
			this.runner
				.withInitializer((context) -> ((GenericApplicationContext) context).registerBean("bare", bean,
						(definition) -> definition.setLazyInit(lazy)))
				.withPropertyValues("spring.aop.auto=false")
				.run((context) -> assertThat(context).getFailure()
					.isInstanceOfSatisfying(StartUpException.class,
							(refused) -> assertThat(refused.action()).contains("spring.aop.auto"))
					.hasMessageContaining("the beans bare: nothing makes proxies here"));
		}
	}

	/** Of a slice, there are the auto-configurations of operations only. */
	@Test
	void aTestSliceFailsWhereNothingMakesProxies() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(TestSliceAutoConfiguration.class,
					IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class))
			.withBean("bare", Payments.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("the beans bare: nothing makes proxies here"));
	}

	/** Nobody can ask such a proxy for its advisors. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anOpaqueProxyProtects(boolean ofClass) {
		this.runner.withUserConfiguration(Opaque.class)
			.withPropertyValues("spring.aop.proxy-target-class=" + ofClass)
			.withBean("shop", Shop.class)
			.run((context) -> {
				Buying shop = context.getBean(Buying.class);
				assertThat(shop).isNotInstanceOf(Advised.class);
				assertThat(shop.buy("1")).isEqualTo(shop.buy("1"));
			});
	}

	@Test
	void aProxyAroundAnotherProtects() {
		this.runner.withUserConfiguration(Opaque.class, Asynchronous.class)
			.withBean("shop", Shop.class)
			.run((context) -> {
				Buying shop = context.getBean(Buying.class);
				assertThat(shop).isInstanceOf(Advised.class);
				assertThat(shop.buy("1")).isEqualTo(shop.buy("1"));
			});
	}

	@Test
	void aBeanThatIsLookedUpLaterIsProtected() {
		this.runner.withBean("early", Payments.class)
			.withUserConfiguration(LookingUp.class)
			.run((context) -> assertThat(context.getBean(Payments.class).run("1"))
				.isEqualTo(context.getBean(Payments.class).run("1")));
	}

	/** As tests replace beans by mocks. */
	@Test
	void aBeanThatATestReplacesNeedsNoProxy() {
		this.runner.withBean("early", Payments.class)
			.withUserConfiguration(Replacing.class, Needing.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void whatIsSwitchedOffNeedsNoProxy() {
		this.runner.withBean("early", Payments.class)
			.withUserConfiguration(Needing.class)
			.withPropertyValues("idempotent.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	static class Payments {

		@Idempotent(key = "#id")
		public long run(String id) {
			return System.nanoTime();
		}

	}

	interface Buying {

		long buy(String id);

	}

	static class Shop implements Buying {

		@Override
		@Idempotent(key = "#id")
		public long buy(String id) {
			return System.nanoTime();
		}

		@Async
		public void ship() {
		}

	}

	static class Jobs {

		@DistributedLocked(name = "job")
		public void run() {
		}

	}

	@RestController
	static class Orders {

		@PostMapping("/orders")
		@ApiIdempotent(KeySource.HEADER)
		public void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Needing {

		@Bean
		static First first(@Qualifier("early") Object bean) {
			return new First(bean);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LookingUp {

		@Bean
		static First first(ObjectProvider<Payments> bean) {
			return new First(bean);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Replacing {

		@Bean
		static BeanFactoryPostProcessor replacing() {
			return (beans) -> beans.registerSingleton("early", new Payments());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Opaque {

		@Bean
		static BeanPostProcessor opaque(@Qualifier(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) ProxyConfig creator) {
			creator.setOpaque(true);
			return new BeanPostProcessor() {
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(proxyTargetClass = true)
	static class Asynchronous {

	}

	record First(Object bean) implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

}
