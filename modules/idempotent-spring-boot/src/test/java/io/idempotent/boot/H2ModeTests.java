package io.idempotent.boot;

import java.util.UUID;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.LockTemplate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * H2 in the place of another database, as in the tests of many applications: all tables
 * are created and used in each of its modes.
 */
class H2ModeTests {

	@ParameterizedTest
	@ValueSource(strings = { "REGULAR", "PostgreSQL", "PostgreSQL;DATABASE_TO_LOWER=TRUE", "MySQL", "MariaDB", "Oracle",
			"MSSQLServer", "DB2", "STRICT", "LEGACY" })
	void recordsReceiptsAndLocksWork(String mode) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataSourceAutoConfiguration.class,
					JdbcTemplateAutoConfiguration.class, TransactionAutoConfiguration.class,
					TransactionManagerCustomizationAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, IdempotencyAutoConfiguration.class,
					IdempotencyCallAutoConfiguration.class, GuardAutoConfiguration.class, LockAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";MODE=" + mode,
					"idempotent.store.type=jdbc", "idempotent.store.near-cache.enabled=false",
					"idempotent.guard.enabled=true", "idempotent.lock.engines=jdbc")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				JdbcTemplate sql = context.getBean(JdbcTemplate.class);
				TransactionTemplate transaction = new TransactionTemplate(
						context.getBean(PlatformTransactionManager.class));
				sql.execute("create table sale (item varchar(255) not null)");
				for (int call = 0; call < 2; call++) {
					assertThat(sell(context.getBean(IdempotencyTemplate.class), transaction, sql)).isEqualTo("sold");
				}
				assertThat(sql.queryForObject("select count(*) from sale", Integer.class)).isOne();
				sql.update("delete from idempotent_record");
				assertThatExceptionOfType(SubmissionRefusedException.class)
					.isThrownBy(() -> sell(context.getBean(IdempotencyTemplate.class), transaction, sql))
					.matches((refused) -> refused.refusal() == Refusal.RESPONSE_UNAVAILABLE, "by the receipt");
				assertThat(sql.queryForObject("select count(*) from sale", Integer.class)).isOne();
				assertThat(context.getBean(LockTemplate.class).<String, RuntimeException>execute("sales", () -> "held"))
					.isEqualTo("held");
			});
	}

	private static String sell(IdempotencyTemplate template, TransactionTemplate transaction, JdbcTemplate sql) {
		return template.execute("sell", "tea", String.class, (call) -> transaction.execute((status) -> {
			sql.update("insert into sale (item) values ('tea')");
			return "sold";
		}));
	}

}
