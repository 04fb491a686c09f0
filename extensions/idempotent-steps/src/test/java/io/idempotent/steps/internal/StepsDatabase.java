package io.idempotent.steps.internal;

import java.sql.SQLException;
import java.util.UUID;
import java.util.function.BooleanSupplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.Schemas;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A database with the tables of steps, of receipts, and one of orders.
 */
final class StepsDatabase implements AutoCloseable {

	private final HikariDataSource pool = new HikariDataSource();

	private StepsDatabase(String platform, String url, String user) {
		this.pool.setJdbcUrl(url);
		this.pool.setUsername(user);
		this.pool.setPassword("");
		Schemas.create(this.pool, platform, "steps", "jdbc/receipt");
		sql().execute("create table orders (item varchar(100) not null)");
		sql().execute("create index orders_by_item on orders (item)");
	}

	static StepsDatabase h2() {
		return new StepsDatabase("h2", "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=5000",
				"sa");
	}

	static StepsDatabase postgresql(String url) {
		return new StepsDatabase("postgresql", url, "postgres");
	}

	static StepsDatabase mariaDb(String url) {
		return new StepsDatabase("mariadb", url, "root");
	}

	static StepsDatabase mySql(String url) {
		return new StepsDatabase("mysql", url, "root");
	}

	DataSource dataSource() {
		return this.pool;
	}

	DataSource awayWhile(BooleanSupplier away) {
		return ObservedDataSource.beforeConnections(this.pool, () -> {
			if (away.getAsBoolean()) {
				throw new SQLException("The database is away", "08001");
			}
		});
	}

	JdbcTemplate sql() {
		return new JdbcTemplate(this.pool);
	}

	void order(String item) {
		sql().update("insert into orders (item) values (?)", item);
	}

	int orders(String item) {
		return sql().queryForObject("select count(*) from orders where item = ?", Integer.class, item);
	}

	@Override
	public void close() {
		this.pool.close();
	}

}
