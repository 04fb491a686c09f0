package io.idempotent.method;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.Idempotent;
import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.testing.LosingTransactionManager;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A node with a store of its own, on a database that it may share: to another node it is
 * as if the store had forgotten everything.
 */
final class BorderNode implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private final LosingTransactionManager manager;

	private final DataSourceTransactionManager otherManager;

	private BorderNode(DataSource database, DataSource otherDatabase, String... properties) {
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.initializers((ApplicationContextInitializer<GenericApplicationContext>) (fresh) -> fresh
				.registerBean(DataSource.class, () -> database))
			.properties("spring.main.banner-mode=off", "idempotent.store.type=local", "idempotent.namespace=borders",
					"idempotent.guard.initialize-schema=always")
			.properties(properties)
			.run();
		this.manager = this.context.getBean(LosingTransactionManager.class);
		this.otherManager = new DataSourceTransactionManager(otherDatabase);
		this.otherManager.setTransactionExecutionListeners(
				this.context.getBeanProvider(TransactionExecutionListener.class).orderedStream().toList());
		sql().execute("create table if not exists effect (note varchar(100) not null)");
	}

	static BorderNode withReceipts(DataSource database, DataSource otherDatabase, String... properties) {
		String[] all = Arrays.copyOf(properties, properties.length + 1);
		all[properties.length] = "idempotent.guard.enabled=true";
		return new BorderNode(database, otherDatabase, all);
	}

	static BorderNode withoutReceipts(DataSource database, DataSource otherDatabase, String... properties) {
		return new BorderNode(database, otherDatabase, properties);
	}

	Shop shop() {
		return this.context.getBean(Shop.class);
	}

	IdempotencyTemplate calls() {
		return this.context.getBean(IdempotencyTemplate.class);
	}

	JdbcTemplate sql() {
		return this.context.getBean(JdbcTemplate.class);
	}

	String write(String note) {
		sql().update("insert into effect values (?)", note);
		return note;
	}

	/** What a connection of its own sees. */
	List<String> effects() {
		return new JdbcTemplate(this.manager.getDataSource()).queryForList("select note from effect order by note",
				String.class);
	}

	TransactionTemplate transaction() {
		return new TransactionTemplate(this.manager);
	}

	TransactionTemplate newTransaction() {
		return with(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
	}

	TransactionTemplate nested() {
		return with(TransactionDefinition.PROPAGATION_NESTED);
	}

	TransactionTemplate elsewhere() {
		return new TransactionTemplate(this.otherManager);
	}

	private TransactionTemplate with(int propagation) {
		TransactionTemplate template = transaction();
		template.setPropagationBehavior(propagation);
		return template;
	}

	/**
	 * The next commit throws, as if its reply was lost.
	 * @param happens whether the database commits
	 */
	void loseNextCommit(boolean happens) {
		this.manager.loseNextCommit(happens);
	}

	static void beforeCommit(Runnable work) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void beforeCommit(boolean readOnly) {
				work.run();
			}

		});
	}

	static void afterCommit(Runnable work) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				work.run();
			}

		});
	}

	static void afterCompletion(Runnable work) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCompletion(int status) {
				work.run();
			}

		});
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
			IdempotencyCallAutoConfiguration.class, GuardAutoConfiguration.class, TransactionAutoConfiguration.class })
	static class Application {

		/** Not made by Spring Boot. */
		@Bean
		LosingTransactionManager transactionManager(DataSource database) {
			return new LosingTransactionManager(database);
		}

		@Bean
		JdbcTemplate jdbcTemplate(DataSource database) {
			return new JdbcTemplate(database);
		}

		@Bean
		Shop shop() {
			return new Shop();
		}

	}

	/**
	 * Operations that differ in their transactions alone.
	 */
	static class Shop {

		@Idempotent(key = "#key")
		String plain(String key, Supplier<String> body) {
			return body.get();
		}

		@Idempotent(key = "#key")
		@Transactional
		String joining(String key, Supplier<String> body) {
			return body.get();
		}

		@Idempotent(key = "#key")
		@Transactional(propagation = Propagation.NESTED)
		String nested(String key, Supplier<String> body) {
			return body.get();
		}

		@Idempotent(key = "#key")
		@Transactional(propagation = Propagation.REQUIRES_NEW)
		String apart(String key, Supplier<String> body) {
			return body.get();
		}

	}

}
