package io.idempotent.method;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.idempotent.Idempotent;
import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * An operation that should leave a receipt and leaves none is told in the log.
 */
@ExtendWith(OutputCaptureExtension.class)
class MissingReceiptTests {

	private static final String WARNING = "Operation 'Shop.plain' succeeded without a receipt";

	private final DataSource database = TestDatabase.h2().dataSource();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyCallAutoConfiguration.class, GuardAutoConfiguration.class,
				TransactionAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local", "idempotent.guard.enabled=true",
				"idempotent.initialize-schema=always")
		.withBean(DataSource.class, () -> this.database)
		.withBean(PlatformTransactionManager.class, () -> new DataSourceTransactionManager(this.database))
		.withBean(Shop.class);

	@Test
	void statementsWithoutATransactionAreLogged(CapturedOutput log) {
		run((shop) -> shop.plain(key(), shop::write));
		assertThat(log).contains(WARNING).contains("its thread had no Spring transaction");
	}

	@Test
	void eachOperationIsLoggedOnce(CapturedOutput log) {
		run((shop) -> {
			shop.plain(key(), shop::write);
			int told = log.getAll().indexOf(WARNING);
			shop.plain(key(), shop::write);
			assertThat(log.getAll().lastIndexOf(WARNING)).isEqualTo(told);
			shop.joining(key(), shop::write);
		});
		assertThat(log).doesNotContain("Operation 'Shop.joining'");
	}

	@Test
	void writesOnAnotherThreadAreLogged(CapturedOutput log) {
		run((shop) -> shop.plain(key(),
				() -> CompletableFuture.supplyAsync(() -> shop.transaction().execute((status) -> shop.write()))
					.join()));
		assertThat(log).contains(WARNING).contains("other threads");
	}

	@Test
	void writesToAnotherDatabaseAreLogged(CapturedOutput log) {
		this.runner.run((context) -> {
			DataSourceTransactionManager other = new DataSourceTransactionManager(TestDatabase.h2().dataSource());
			other.setTransactionExecutionListeners(
					context.getBeanProvider(TransactionExecutionListener.class).orderedStream().toList());
			context.getBean(Shop.class)
				.plain(key(), () -> new TransactionTemplate(other).execute((status) -> "unprotected"));
		});
		assertThat(log).contains(WARNING).contains("not on the guarded DataSource");
	}

	@Test
	void writesUnderAReceiptAndReadsAreNotLogged(CapturedOutput log) {
		run((shop) -> {
			shop.plain(key(), () -> shop.transaction().execute((status) -> shop.write()));
			shop.transaction().setReadOnly(true);
			shop.plain(key(), () -> shop.transaction().execute((status) -> "read"));
		});
		assertThat(log).doesNotContain(WARNING);
	}

	@Test
	void aFailedOperationIsNotLogged(CapturedOutput log) {
		run((shop) -> assertThatIllegalStateException().isThrownBy(() -> shop.plain(key(), () -> {
			throw new IllegalStateException("planned");
		})));
		assertThat(log).doesNotContain(WARNING);
	}

	@Test
	void aCallbackWithoutATransactionAfterCompletionIsLogged(CapturedOutput log) {
		run((shop) -> shop.transaction()
			.executeWithoutResult((status) -> TransactionSynchronizationManager
				.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCompletion(int outcome) {
						shop.plain(key(), shop::write);
					}

				})));
		assertThat(log).contains("Operation 'Shop.plain' runs in a callback after the completion");
	}

	private void run(Consumer<Shop> test) {
		this.runner.run((context) -> test.accept(context.getBean(Shop.class)));
	}

	private static String key() {
		return UUID.randomUUID().toString();
	}

	static class Shop {

		private final TransactionTemplate transaction;

		private final JdbcTemplate sql;

		Shop(PlatformTransactionManager manager, DataSource database) {
			this.transaction = new TransactionTemplate(manager);
			this.sql = new JdbcTemplate(database);
			this.sql.execute("create table if not exists effect (note varchar(100) not null)");
		}

		TransactionTemplate transaction() {
			return this.transaction;
		}

		String write() {
			this.sql.update("insert into effect values ('written')");
			return "written";
		}

		@Idempotent(key = "#key")
		String plain(String key, Supplier<String> body) {
			return body.get();
		}

		@Idempotent(key = "#key")
		@Transactional
		String joining(String key, Supplier<String> body) {
			return body.get();
		}

	}

}
