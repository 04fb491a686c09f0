package io.idempotent.benchmarks.server;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * A PostgreSQL that keeps what it commits, and the one pool of connections that everybody
 * shares.
 */
public final class Postgres implements AutoCloseable {

	private static final int CONNECTIONS = 16;

	private final EmbeddedPostgres server;

	private final HikariDataSource pool = new HikariDataSource();

	private Postgres(EmbeddedPostgres server) {
		this.server = server;
		this.pool.setDataSource(server.getPostgresDatabase());
		this.pool.setMaximumPoolSize(CONNECTIONS);
		this.pool.setMinimumIdle(CONNECTIONS);
	}

	/**
	 * Starts it.
	 * @param schemas resources on the class path that make tables
	 * @return a PostgreSQL with nothing but these tables
	 * @throws IOException if it does not start
	 */
	public static Postgres start(String... schemas) throws IOException {
		Postgres postgres = new Postgres(EmbeddedPostgres.builder()
			// Off by default here: a commit would be acknowledged before it is kept.
			.setServerConfig("synchronous_commit", "on")
			.setServerConfig("unix_socket_directories", "")
			.start());
		List.of(schemas)
			.forEach((schema) -> new ResourceDatabasePopulator(new ClassPathResource(schema)).execute(postgres.pool));
		return postgres;
	}

	/**
	 * The pool.
	 * @return connections
	 */
	public DataSource dataSource() {
		return this.pool;
	}

	/**
	 * Creates a database of its own for an application.
	 * @param name letters, digits and underscores
	 * @return its JDBC address
	 */
	public String create(String name) {
		JdbcClient.create(this.pool).sql("CREATE DATABASE " + name).update();
		return this.server.getJdbcUrl("postgres", name);
	}

	/**
	 * The server's processes that serve the connections to a database.
	 * @param database its name
	 * @return one for each connection
	 */
	public Stream<ProcessHandle> processes(String database) {
		return JdbcClient.create(this.pool)
			.sql("SELECT pid FROM pg_stat_activity WHERE datname = ?")
			.param(database)
			.query(Long.class)
			.list()
			.stream()
			.flatMap((pid) -> ProcessHandle.of(pid).stream());
	}

	/**
	 * The processor time that the processes of the shared pool have used.
	 * @return microseconds
	 */
	public double processorMicros() {
		return processes("postgres").flatMap((process) -> process.info().totalCpuDuration().stream())
			.mapToDouble((used) -> used.toNanos() / 1e3)
			.sum();
	}

	/**
	 * What the server has written to its log of changes.
	 * @return bytes
	 */
	public double written() {
		return JdbcClient.create(this.pool)
			.sql("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')")
			.query(Double.class)
			.single();
	}

	@Override
	public void close() throws IOException {
		this.pool.close();
		this.server.close();
	}

}
