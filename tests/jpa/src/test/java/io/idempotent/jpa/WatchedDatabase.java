package io.idempotent.jpa;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A database with a table of sales. Remembers what is prepared on its connections.
 */
final class WatchedDatabase extends DelegatingDataSource {

	private final List<String> statements = new CopyOnWriteArrayList<>();

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
	 * What has been prepared since this was asked last, as "insert into sale".
	 */
	List<String> takeStatements() {
		List<String> taken = this.statements.stream()
			.map((sql) -> sql.replaceFirst("^((?:\\w+ ){1,2}\\w+).*", "$1"))
			.toList();
		this.statements.clear();
		return taken;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("prepareStatement")) {
						this.statements.add((String) arguments[0]);
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

}
