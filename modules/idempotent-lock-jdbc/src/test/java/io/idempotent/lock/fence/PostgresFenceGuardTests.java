package io.idempotent.lock.fence;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class PostgresFenceGuardTests extends FenceGuardContract {

	private static final String URL = TestPostgres.newDatabase();

	private static final GuardedDatabase DATABASE = GuardedDatabase.postgresql(URL);

	@ParameterizedTest
	@ValueSource(strings = { "grant select on %1$s to %2$s",
			"grant all on %1$s to %2$s; alter role %2$s set default_transaction_read_only = on" })
	void aTableThatCanOnlyBeReadFailsTheCheck(String rights) {
		String role = "role_" + UUID.randomUUID().toString().replace("-", "");
		DATABASE.sql().execute("create role " + role + " login");
		DATABASE.sql().execute(rights.formatted("idempotent_fence", role));
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> new FenceGuard(as(role), "idempotent_fence").check());
		DATABASE.sql()
			.execute("alter role " + role + " reset all; grant insert, update on idempotent_fence to " + role);
		assertThatNoException().isThrownBy(() -> new FenceGuard(as(role), "idempotent_fence").check());
	}

	/** The limit that docs/fencing.md states: the outer transaction held the row. */
	@Test
	void aTransactionInsideOfOneThatTheDatabaseHasEndedCommitsAfterALaterHolder() {
		FenceGuard guard = new FenceGuard(DATABASE, "idempotent_fence");
		DataSourceTransactionManager transactions = new DataSourceTransactionManager(DATABASE);
		TransactionTemplate outer = new TransactionTemplate(transactions);
		TransactionTemplate inner = new TransactionTemplate(transactions,
				new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
		String fence = "fence-" + UUID.randomUUID();
		assertThatException().isThrownBy(() -> outer.executeWithoutResult((status) -> {
			guard.raise(fence, 5);
			endTransaction();
			CompletableFuture.runAsync(() -> outer.executeWithoutResult((later) -> guard.raise(fence, 6))).join();
			inner.executeWithoutResult((nested) -> {
				guard.raise(fence, 5);
				DATABASE.sql().update("insert into effect (token) values (5)");
			});
		}));
		assertThat(DATABASE.sql().queryForList("select token from effect", Long.class)).containsExactly(5L);
	}

	private static void endTransaction() {
		Integer pid = DATABASE.sql().queryForObject("select pg_backend_pid()", Integer.class);
		new JdbcTemplate(new DriverManagerDataSource(URL)).queryForObject("select pg_terminate_backend(?, 60000)",
				Boolean.class, pid);
	}

	private static DataSource as(String role) {
		return new DriverManagerDataSource(URL.replace("user=postgres", "user=" + role));
	}

	@Override
	protected GuardedDatabase database() {
		return DATABASE;
	}

}
