package io.idempotent.steps.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A database before whose statements and commits, and after them, something may happen.
 */
final class PointsDataSource extends DelegatingDataSource {

	private final Points.Current points;

	PointsDataSource(DataSource target, Points.Current points) {
		super(target);
		this.points = points;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return proxy(Connection.class, (proxy, method, arguments) -> {
			if (method.getName().equals("commit")) {
				return this.points.around(() -> invoke(connection, method, arguments));
			}
			Object result = invoke(connection, method, arguments);
			return (result instanceof PreparedStatement statement) ? counted(statement) : result;
		});
	}

	private PreparedStatement counted(PreparedStatement statement) {
		return proxy(PreparedStatement.class,
				(proxy, method, arguments) -> method.getName().startsWith("execute")
						? this.points.around(() -> invoke(statement, method, arguments))
						: invoke(statement, method, arguments));
	}

	private static <T> T proxy(Class<T> type, InvocationHandler handler) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, handler));
	}

	private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
		try {
			return method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

}
