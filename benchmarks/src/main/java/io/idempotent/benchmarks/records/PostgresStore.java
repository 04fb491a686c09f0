package io.idempotent.benchmarks.records;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.jdbc.store.JdbcIdempotencyStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A PostgreSQL and a pool of connections to it. It does not clean up by itself: that
 * would meet one contender and not the others.
 */
public final class PostgresStore implements AutoCloseable {

	private final EmbeddedPostgres server;

	private final HikariDataSource pool = new HikariDataSource();

	private final JdbcTemplate sql;

	/**
	 * Starts both.
	 * @throws IOException if it does not start
	 */
	public PostgresStore() throws IOException {
		this.server = EmbeddedPostgres.builder().setServerConfig("autovacuum", "off").start();
		this.pool.setDataSource(this.server.getPostgresDatabase());
		this.pool.setMaximumPoolSize(4);
		this.sql = new JdbcTemplate(this.pool);
	}

	/**
	 * Creates a table of records.
	 * @param table its name
	 * @return the steps of its records
	 * @throws IOException if the library has no schema
	 */
	public Records create(String table) throws IOException {
		try (InputStream schema = Objects
			.requireNonNull(JdbcIdempotencyStore.class.getResourceAsStream("schema-postgresql.sql"))) {
			this.sql.execute(new String(schema.readAllBytes(), StandardCharsets.UTF_8)
				.replace(JdbcIdempotencyStore.DEFAULT_TABLE, table));
		}
		return new Records(store(table));
	}

	/**
	 * The store of a table.
	 * @param table its name
	 * @return the store
	 */
	public JdbcIdempotencyStore store(String table) {
		return new JdbcIdempotencyStore(this.pool, table, JdbcIdempotencyStore.DEFAULT_TIMEOUT);
	}

	/**
	 * For what the store does not do.
	 * @return the template
	 */
	public JdbcTemplate sql() {
		return this.sql;
	}

	/**
	 * What a table takes, with its indexes and what it keeps aside.
	 * @param table its name
	 * @return bytes
	 */
	public long size(String table) {
		return Objects
			.requireNonNull(this.sql.queryForObject("select pg_total_relation_size(?::regclass)", Long.class, table));
	}

	@Override
	public void close() throws IOException {
		this.pool.close();
		this.server.close();
	}

}
