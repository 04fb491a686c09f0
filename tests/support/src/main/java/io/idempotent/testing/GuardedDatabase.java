package io.idempotent.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A database with a table of fences and one of effects. Remembers what is prepared on its
 * connections.
 */
public final class GuardedDatabase extends DelegatingDataSource implements AutoCloseable {

	private final List<String> statements = new CopyOnWriteArrayList<>();

	private final HikariDataSource pool = new HikariDataSource();

	private GuardedDatabase(String platform, String url, String user) {
		this.pool.setJdbcUrl(url);
		this.pool.setUsername(user);
		this.pool.setPassword("");
		// Not a pool that grows on demand: Hikari then overlooks now and again that a
		// thread
		// waits for a new connection, until the next one comes back.
		setTargetDataSource(this.pool);
		Schemas.create(this.pool, platform, "lock/fence", "jdbc/receipt");
		boolean mySql = platform.equals("mariadb") || platform.equals("mysql");
		String identity = mySql ? "bigint auto_increment" : "bigint generated always as identity";
		sql().execute("create table effect (id " + identity + " primary key, token bigint not null)");
	}

	public static GuardedDatabase h2() {
		return new GuardedDatabase("h2", "jdbc:h2:mem:" + UUID.randomUUID() + ";LOCK_TIMEOUT=10000", "sa");
	}

	public static GuardedDatabase postgresql(String url) {
		return new GuardedDatabase("postgresql", url, "postgres");
	}

	public static GuardedDatabase mariaDb(String url) {
		return new GuardedDatabase("mariadb", url, "root");
	}

	public static GuardedDatabase mySql(String url) {
		return new GuardedDatabase("mysql", url, "root");
	}

	/**
	 * What has been prepared since this was asked last.
	 */
	public List<String> takeStatements() {
		List<String> taken = List.copyOf(this.statements);
		this.statements.clear();
		return taken;
	}

	public JdbcTemplate sql() {
		return new JdbcTemplate(this);
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

	@Override
	public void close() {
		this.pool.close();
	}

}
