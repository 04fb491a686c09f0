package io.idempotent.webmvc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.idempotent.Idempotent;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLocked;
import jakarta.annotation.PostConstruct;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * How applications of public bug reports start and stop.
 */
class ReportedContextTests {

	private static EmbeddedRedis redis;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Test
	void aChildContextUsesWhatItsParentHasConfigured() {
		SpringApplicationBuilder parent = application(Parent.class);
		ConfigurableApplicationContext child = parent.child(Child.class)
			.properties(properties())
			.web(WebApplicationType.NONE)
			.run();
		try (ConfigurableApplicationContext first = parent.context(); child) {
			for (String bean : List.of("child", "parent")) {
				Payments payments = child.getBean(bean, Payments.class);
				payments.pay("order 7");
				payments.pay("order 7");
				payments.settle("order 7");
			}
			assertThat(child.getBean("child", Payments.class).runs()).containsExactly("pay order 7", "settle order 7");
			assertThat(first.getBean("parent", Payments.class).runs()).containsExactly("settle order 7");
		}
	}

	@Test
	void methodsWorkFromTheFirstBeanToTheRequestToStop() {
		ConfigurableApplicationContext context = application(Alone.class).run();
		Payments payments = context.getBean("payments", Payments.class);
		context.close();
		assertThat(payments.runs()).containsExactly("pay constructed", "settle constructed", "pay instantiated",
				"settle instantiated", "pay run", "settle run", "pay closed", "settle closed");
	}

	@Test
	void oneOfTwoRedisConnectionsMustBePrimary() {
		assertThatException().isThrownBy(() -> application(TwoConnections.class).run())
			.havingRootCause()
			.isInstanceOf(NoUniqueBeanDefinitionException.class)
			.withMessageContaining("expected single matching bean but found 2: orders,sessions");
	}

	private static SpringApplicationBuilder application(Class<?> source) {
		return new SpringApplicationBuilder(source).web(WebApplicationType.NONE).properties(properties());
	}

	private static String[] properties() {
		return new String[] { "spring.main.banner-mode=off", "spring.application.name=\u8ba2\u5355\u670d\u52a1",
				"logging.level.root=warn", "spring.data.redis.host=" + redis.host(),
				"spring.data.redis.port=" + redis.port(), "idempotent.lock.engines=redisson",
				"idempotent.store.redis.timeout=5s" };
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Parent {

		@Bean
		Payments parent() {
			return new Payments();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Child {

		@Bean
		Payments child() {
			return new Payments();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Caller.class)
	static class Alone {

		@Bean
		Payments payments() {
			return new Payments();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class TwoConnections {

		@Bean
		RedisConnectionFactory orders() {
			return new LettuceConnectionFactory(redis.host(), redis.port());
		}

		@Bean
		RedisConnectionFactory sessions() {
			return new LettuceConnectionFactory(redis.host(), redis.port());
		}

	}

	static class Payments {

		private final List<String> runs = new CopyOnWriteArrayList<>();

		@Idempotent(key = "#id")
		public void pay(String id) {
			this.runs.add("pay " + id);
		}

		@DistributedLocked(key = "#id")
		public void settle(String id) {
			this.runs.add("settle " + id);
		}

		public List<String> runs() {
			return new ArrayList<>(this.runs);
		}

	}

	static class Caller implements SmartInitializingSingleton, ApplicationRunner {

		private final Payments payments;

		Caller(Payments payments) {
			this.payments = payments;
		}

		@PostConstruct
		void constructed() {
			call("constructed");
		}

		@Override
		public void afterSingletonsInstantiated() {
			call("instantiated");
		}

		@Override
		public void run(ApplicationArguments arguments) {
			call("run");
		}

		@EventListener
		void closed(ContextClosedEvent event) {
			call("closed");
		}

		private void call(String when) {
			this.payments.pay(when);
			this.payments.pay(when);
			this.payments.settle(when);
		}

	}

}
