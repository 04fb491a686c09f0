package io.idempotent.testing;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A database with a table of fences and one of effects. Remembers what is prepared on its
 * connections.
 */
public final class GuardedDatabase extends DelegatingDataSource implements AutoCloseable {

	private static final Map<Mode, GuardedDatabase> SHARED = new ConcurrentHashMap<>();

	private final List<String> statements = new CopyOnWriteArrayList<>();

	private final HikariDataSource pool = new HikariDataSource();

	/** The name of the database that H2 stands for, or empty if none. */
	private final String product;

	private GuardedDatabase(String platform, String url, String user) {
		this(platform, url, user, "");
	}

	private GuardedDatabase(String platform, String url, String user, String product) {
		this.product = product;
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
		return new GuardedDatabase("h2", h2("REGULAR"), "sa");
	}

	/**
	 * H2 in the mode of Oracle, under its name. Locks and errors are those of H2.
	 */
	public static GuardedDatabase h2AsOracle() {
		return new GuardedDatabase("oracle", h2("Oracle"), "sa", "Oracle");
	}

	/**
	 * H2 in the mode of SQL Server, under its name. Locks and errors are those of H2,
	 * which ignores table hints, and so is the clock.
	 */
	public static GuardedDatabase h2AsSqlServer() {
		return new GuardedDatabase("sqlserver", h2("MSSQLServer"), "sa", "Microsoft SQL Server");
	}

	/** The database of a mode that the tests of this JVM share. */
	public static GuardedDatabase shared(Mode mode) {
		return SHARED.computeIfAbsent(mode, (unused) -> switch (mode) {
			case H2 -> h2();
			case ORACLE -> h2AsOracle();
			case SQL_SERVER -> h2AsSqlServer();
		});
	}

	private static String h2(String mode) {
		return "jdbc:h2:mem:" + UUID.randomUUID() + ";LOCK_TIMEOUT=10000;TIME ZONE=Asia/Tokyo;MODE=" + mode;
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
		return ObservedDataSource.intercept(super.getConnection(), (call) -> {
			if (call.getMethod().getName().equals("prepareStatement")) {
				String sql = (String) call.getArguments()[0];
				this.statements.add(sql);
				call.getArguments()[0] = inH2(sql);
			}
			Object result = call.proceed();
			return (!this.product.isEmpty() && result instanceof DatabaseMetaData metaData) ? named(metaData) : result;
		});
	}

	private DatabaseMetaData named(DatabaseMetaData metaData) {
		return ObservedDataSource.intercept(metaData,
				(call) -> call.getMethod().getName().equals("getDatabaseProductName") ? this.product : call.proceed());
	}

	/** All that H2 does not understand of SQL Server. */
	private static String inH2(String sql) {
		return sql.replace("datediff_big(microsecond, '1970-01-01', sysutcdatetime())",
				"cast(extract(epoch from current_timestamp) * 1000000 as bigint)");
	}

	@Override
	public void close() {
		this.pool.close();
	}

	/** H2, and the databases that it stands for. */
	public enum Mode {

		H2, ORACLE, SQL_SERVER

	}

}
