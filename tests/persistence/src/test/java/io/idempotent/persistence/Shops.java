package io.idempotent.persistence;

import java.util.Map;

import io.idempotent.jdbc.store.JdbcIdempotencyStore;
import io.idempotent.store.IdempotencyStore;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The applications, on one server.
 *
 * @param one the one with one database
 * @param two the one with two databases
 */
record Shops(ConfigurableApplicationContext one, ConfigurableApplicationContext two) implements AutoCloseable {

	/**
	 * Starts the applications.
	 * @param payments the address of the database of payments
	 * @param reports the address of another database
	 * @param interruption what happens inside each transaction
	 */
	static Shops start(String payments, String reports, Till.Interruption interruption) {
		return new Shops(
				run(OneDatabase.class, payments, interruption,
						Map.of("spring.datasource.url", payments, "spring.datasource.hikari.maximum-pool-size", "8")),
				run(TwoDatabases.class, payments, interruption, Map.of("test.payments", payments, "test.reports",
						reports, "idempotent.guard.data-source", "payments")));
	}

	private static ConfigurableApplicationContext run(Class<?> application, String payments,
			Till.Interruption interruption, Map<String, Object> properties) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.initializers((GenericApplicationContext context) -> {
				context.registerBean(Till.Interruption.class, () -> interruption);
				context.registerBean(IdempotencyStore.class,
						() -> new JdbcIdempotencyStore(new DriverManagerDataSource(payments)));
			})
			.properties("spring.main.banner-mode=off", "spring.application.name=persistence-shop",
					"idempotent.lock.enabled=false", "idempotent.guard.enabled=true",
					"idempotent.initialize-schema=always")
			.properties(properties)
			.run();
	}

	String pay(String library, String payment) {
		ConfigurableApplicationContext shop = shop(library);
		return shop.getBean(Till.class).pay(shop.getBean(library, Library.class), payment);
	}

	/**
	 * Pays in a transaction that the library manages itself.
	 */
	String payInTransactionOfLibrary(String library, Library work, String payment) {
		return shop(library).getBean(Till.class).payInTransactionOfLibrary(work, payment);
	}

	private ConfigurableApplicationContext shop(String library) {
		return library.equals("JPA") ? this.two : this.one;
	}

	@Override
	public void close() {
		this.two.close();
		this.one.close();
	}

}
