package io.idempotent.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Remembers what is executed, and tells before it is.
 */
public class ObservedDataSource extends DelegatingDataSource {

	private final List<String> executed = new CopyOnWriteArrayList<>();

	private volatile IntConsumer before = (count) -> {
	};

	public ObservedDataSource(DataSource target) {
		super(target);
	}

	public final List<String> executed() {
		return this.executed;
	}

	/**
	 * What to do before each statement.
	 * @param before told how many there have been with it
	 */
	public final void beforeEach(IntConsumer before) {
		this.executed.clear();
		this.before = before;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return proxy(Connection.class, (proxy, method, arguments) -> {
			Object result = invoke(() -> method.invoke(connection, arguments));
			if (method.getName().equals("setAutoCommit") || method.getName().equals("commit")) {
				this.executed.add(method.getName());
			}
			return (result instanceof PreparedStatement statement) ? observed(statement, (String) arguments[0])
					: result;
		});
	}

	private PreparedStatement observed(PreparedStatement statement, String sql) {
		return proxy(PreparedStatement.class, (proxy, method, arguments) -> {
			if (method.getName().startsWith("execute")) {
				this.executed.add(sql);
				this.before.accept(this.executed.size());
			}
			return invoke(() -> method.invoke(statement, arguments));
		});
	}

	private static <T> T proxy(Class<T> type, InvocationHandler handler) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, handler));
	}

	private static Object invoke(Call call) throws Throwable {
		try {
			return call.run();
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	private interface Call {

		Object run() throws ReflectiveOperationException;

	}

}
