package io.idempotent.jpa;

import java.util.List;

import javax.sql.DataSource;

import io.idempotent.testing.ObservedDataSource;
import org.h2.jdbcx.JdbcDataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A database with a table of sales. Remembers what is executed on its connections.
 */
final class WatchedDatabase extends ObservedDataSource {

	static WatchedDatabase h2(String name) {
		JdbcDataSource memory = new JdbcDataSource();
		memory.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
		return new WatchedDatabase(memory);
	}

	WatchedDatabase(DataSource target) {
		super(target);
		sql().execute("create table sale (id varchar(36) primary key, payment varchar(36) not null, "
				+ "version integer not null)");
	}

	/**
	 * Beside whatever is watched.
	 */
	JdbcTemplate sql() {
		return new JdbcTemplate(obtainTargetDataSource());
	}

	int sales(String payment) {
		return count("select count(*) from sale where payment = ?", payment);
	}

	int receipts() {
		return count("select count(*) from idempotent_receipt");
	}

	private int count(String query, Object... parameters) {
		Integer count = sql().queryForObject(query, Integer.class, parameters);
		return (count != null) ? count : -1;
	}

	/**
	 * What has been executed since this was asked last, as "insert into sale".
	 */
	List<String> takeStatements() {
		List<String> taken = executed().stream()
			.filter((sql) -> sql.contains(" "))
			.map((sql) -> sql.replaceFirst("^((?:\\w+ ){1,2}\\w+).*", "$1"))
			.toList();
		executed().clear();
		return taken;
	}

}
