package io.idempotent.programs;

import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.Idempotent;
import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.testing.FaultyProxy;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/**
 * One of the nodes in a storm, and the network between it and the database.
 *
 * @param context the application
 * @param pool its connections
 * @param network what they pass through
 */
record StormNode(ConfigurableApplicationContext context, HikariDataSource pool,
		FaultyProxy network) implements AutoCloseable {

	static StormNode start(int database, IdempotencyStore store, Consumer<GenericApplicationContext> change) {
		FaultyProxy network = new FaultyProxy("127.0.0.1", database);
		HikariDataSource pool = pool(network.port());
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "spring.main.log-startup-info=false",
					"idempotent.namespace=storms", "idempotent.guard.enabled=true",
					"idempotent.initialize-schema=always", "idempotent.store.near-cache.enabled=false")
			.initializers((fresh) -> {
				GenericApplicationContext beans = (GenericApplicationContext) fresh;
				beans.registerBean(DataSource.class, () -> pool);
				beans.registerBean(IdempotencyStore.class, () -> store);
				change.accept(beans);
			})
			.run();
		return new StormNode(context, pool, network);
	}

	/** A client gives up after a second, with its COMMIT under way or not. */
	private static HikariDataSource pool(int port) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + port + "/postgres?socketTimeout=1&ApplicationName=storm");
		config.setUsername("postgres");
		config.setPassword("");
		config.setConnectionTimeout(2000);
		config.setConnectionInitSql("set lock_timeout = 800; set synchronous_commit = off");
		return new HikariDataSource(config);
	}

	Payments payments() {
		return this.context.getBean(Payments.class);
	}

	@Override
	public void close() {
		this.context.close();
		this.pool.close();
		this.network.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	@ImportAutoConfiguration({ AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
			IdempotencyCallAutoConfiguration.class, GuardAutoConfiguration.class, TransactionAutoConfiguration.class })
	@Import({ Payments.class, Retried.class })
	static class Application {

		@Bean
		JdbcTransactionManager transactionManager(DataSource database) {
			return new JdbcTransactionManager(database);
		}

	}

	/**
	 * The same operation, in transactions of several kinds.
	 */
	static class Payments {

		private final Retried retried;

		Payments(Retried retried) {
			this.retried = retried;
		}

		@Idempotent(name = "pay", key = "#key")
		@Transactional
		String pay(String key, Supplier<String> work) {
			return work.get();
		}

		@Idempotent(name = "pay-alone", key = "#key")
		@Transactional(isolation = Isolation.SERIALIZABLE)
		String payAlone(String key, Supplier<String> work) {
			return work.get();
		}

		@Idempotent(name = "pay-again", key = "#key")
		String payAgain(String key, Supplier<String> work) {
			return this.retried.run(work);
		}

	}

	static class Retried {

		@Retryable(maxRetries = 2, delay = 1)
		@Transactional
		String run(Supplier<String> work) {
			return work.get();
		}

	}

}
