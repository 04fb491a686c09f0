package io.idempotent.steps.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import javax.sql.DataSource;

import io.idempotent.testing.ObservedDataSource;

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
		return ObservedDataSource.intercept(super.getConnection(), (call) -> {
			if (call.getMethod().getName().equals("commit")) {
				return this.points.around(call::proceed);
			}
			Object result = call.proceed();
			return (result instanceof PreparedStatement statement) ? counted(statement) : result;
		});
	}

	private PreparedStatement counted(PreparedStatement statement) {
		return ObservedDataSource.intercept(statement, (call) -> call.getMethod().getName().startsWith("execute")
				? this.points.around(call::proceed) : call.proceed());
	}

}
