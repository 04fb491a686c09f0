package io.idempotent.boot;

import io.idempotent.jdbc.store.JdbcIdempotencyStore;
import org.junit.jupiter.api.Test;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A database whose SQL this library does not speak fails the start.
 */
class JdbcSchemaTests {

	@Test
	void anotherDatabaseIsNamedWithThoseThatWork() {
		EmbeddedDatabase hsql = new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.HSQL)
			.generateUniqueName(true)
			.build();
		try {
			assertThatExceptionOfType(InvalidConfigurationException.class)
				.isThrownBy(() -> JdbcSchema.initializer(hsql, DatabaseInitializationMode.NEVER,
						JdbcIdempotencyStore.class))
				.withMessageContaining("The database is 'hsqldb'")
				.withMessageContaining("PostgreSQL, MySQL, MariaDB or H2")
				.withMessageContaining("idempotent.store.type=local");
		}
		finally {
			hsql.shutdown();
		}
	}

}
