package io.idempotent.jpa;

import java.io.IOException;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * {@link JpaContract} on a real PostgreSQL, and what only that can do.
 */
class PostgresJpaTests extends JpaContract {

	private EmbeddedPostgres postgres;

	@Override
	WatchedDatabase database() throws IOException {
		this.postgres = EmbeddedPostgres.builder()
			.setServerConfig("unix_socket_directories", "")
			.setServerConfig("dynamic_shared_memory_type", "mmap")
			.start();
		return new WatchedDatabase(this.postgres.getPostgresDatabase());
	}

	@AfterAll
	void stopServer() throws IOException {
		this.postgres.close();
	}

	@Test
	void aConstraintViolatedAtTheCommitLeavesNoReceipt() {
		this.database.sql()
			.execute("alter table sale add constraint one_sale unique (payment) deferrable initially deferred");
		try {
			assertThatExceptionOfType(DataIntegrityViolationException.class)
				.isThrownBy(() -> this.first.till().inTransaction(this.payment, () -> {
					this.first.sell(this.payment);
					this.first.sell(this.payment);
				}));
			assertThat(this.database.takeStatements()).containsExactly("insert into idempotent_receipt",
					"insert into sale", "insert into sale", LOOK_UP);
			assertThat(this.database.receipts()).isZero();
			this.first.till().inTransaction(this.payment, () -> this.first.sell(this.payment));
			assertThat(this.database.sales(this.payment)).isOne();
		}
		finally {
			this.database.sql().execute("alter table sale drop constraint one_sale");
		}
	}

}
