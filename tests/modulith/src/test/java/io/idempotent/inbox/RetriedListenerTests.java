package io.idempotent.inbox;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.idempotent.Idempotent;
import io.idempotent.testing.Schemas;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A listener that is retried within one delivery: Spring's retry advice is outside that
 * of Spring Modulith.
 */
@Tag("slow")
class RetriedListenerTests {

	@Test
	void eachAttemptHasTheKeyOfThePublication() {
		try (TestPostgres postgres = TestPostgres.start()) {
			Reservations reservations = new Reservations(JdbcClient.create(postgres.dataSource()));
			reservations.create();
			Schemas.create(postgres.dataSource(), "postgresql", "jdbc/store", "jdbc/receipt");
			new ResourceDatabasePopulator(
					new ClassPathResource("org/springframework/modulith/events/jdbc/schemas/v2/schema-postgresql.sql"))
				.execute(postgres.dataSource());
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Shop.class)
				.run("--spring.datasource.url=" + postgres.url())) {
				context.getBean(Orders.class).place("a");
				await().until(() -> context.getBean(Mail.class).sent().size() == 2);
				await().until(() -> reservations.incomplete() == 0);
				assertThat(context.getBean(Mail.class).sent()).containsExactly("a", "a");
			}
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableResilientMethods
	static class Shop {

		@Bean
		Orders orders(JdbcClient database, ApplicationEventPublisher events) {
			return new Orders(database, events);
		}

		@Bean
		Mail mail() {
			return new Mail();
		}

	}

	/**
	 * Fails the first time.
	 */
	static class Mail {

		private final List<String> sent = new CopyOnWriteArrayList<>();

		List<String> sent() {
			return this.sent;
		}

		@ApplicationModuleListener
		@Retryable(maxRetries = 2, delay = 10)
		@Idempotent
		void on(OrderPlaced event) {
			this.sent.add(event.order());
			if (this.sent.size() == 1) {
				throw new IllegalStateException("The first time");
			}
		}

	}

}
