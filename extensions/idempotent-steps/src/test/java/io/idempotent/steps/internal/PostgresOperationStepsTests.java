package io.idempotent.steps.internal;

import java.util.List;

import io.idempotent.jdbc.Dialect;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class PostgresOperationStepsTests extends OperationStepsContract {

	private static final StepsDatabase DATABASE = StepsDatabase.postgresql(TestPostgres.newDatabase());

	@BeforeEach
	void forgetOperations() {
		DATABASE.sql().update("delete from idempotent_operation where operation in ('many', 'old')");
	}

	@Test
	void aPurgeReadsTheIndexInATableWithoutStatistics() {
		DATABASE.sql()
			.update("insert into idempotent_operation select sha256(i::text::bytea), '', 'many', '', '', 'node', 1, 1, "
					+ "9000000000000000 + i, null, null, null, 0 from generate_series(1, 20000) i");
		List<String> plan = DATABASE.sql()
			.queryForList("explain " + JdbcOperationSteps.purge(Dialect.POSTGRESQL), String.class, 1L);
		assertThat(plan).anyMatch((line) -> line.contains("idempotent_operation_age"))
			.noneMatch((line) -> line.contains("Seq Scan on idempotent_operation"));
	}

	@Test
	void aPurgeSparesAnOperationThatIsTakenOverMeanwhile() {
		JdbcTemplate sql = DATABASE.sql();
		sql.update(
				"insert into idempotent_operation values (sha256('old'), '', 'old', '', '', 'node', 1, 1, 1, null, null, null, 0)");
		try (StepsNode node = new StepsNode(DATABASE.dataSource())) {
			new TransactionTemplate(new DataSourceTransactionManager(DATABASE.dataSource()))
				.executeWithoutResult((status) -> {
					sql.update("update idempotent_operation set changed_at = 9000000000000000 where operation = 'old'");
					assertThat(node.steps().purge()).isZero();
				});
			assertThat(node.steps().purge()).isZero();
		}
		assertThat(sql.update("delete from idempotent_operation where operation = 'old'")).isOne();
	}

	/** PostgreSQL takes no NUL. */
	@Test
	void aNameThatNoStepCanHaveIsNoOutage() {
		try (StepsNode node = new StepsNode(DATABASE.dataSource())) {
			assertThat(node.steps().administration().repeat(StepsNode.key("1"), "a\u0000b", "alice", "I looked"))
				.isFalse();
		}
	}

	@Override
	StepsDatabase database() {
		return DATABASE;
	}

}
