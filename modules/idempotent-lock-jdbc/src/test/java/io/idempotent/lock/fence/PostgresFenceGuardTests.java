package io.idempotent.lock.fence;

import java.util.UUID;

import javax.sql.DataSource;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

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

	private static DataSource as(String role) {
		return new DriverManagerDataSource(URL.replace("user=postgres", "user=" + role));
	}

	@Override
	protected GuardedDatabase database() {
		return DATABASE;
	}

}
