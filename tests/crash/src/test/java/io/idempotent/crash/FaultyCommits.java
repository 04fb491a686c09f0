package io.idempotent.crash;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A database whose connection breaks at a COMMIT, on request, once.
 */
final class FaultyCommits extends DelegatingDataSource {

	private final AtomicReference<@Nullable CommitFault> next = new AtomicReference<>();

	private final Queue<Connection> late = new ConcurrentLinkedQueue<>();

	FaultyCommits(DataSource target) {
		super(target);
	}

	void breakNext(@Nullable CommitFault fault) {
		this.next.set(fault);
	}

	/** Lets every COMMIT arrive that is on its way. */
	void deliver() throws SQLException {
		for (Connection connection = this.late.poll(); connection != null; connection = this.late.poll()) {
			connection.commit();
			connection.close();
		}
	}

	@Override
	public Connection getConnection() throws SQLException {
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				new Breaking(super.getConnection()));
	}

	private final class Breaking implements InvocationHandler {

		private final Connection connection;

		private boolean broken;

		Breaking(Connection connection) {
			this.connection = connection;
		}

		@Override
		public @Nullable Object invoke(Object proxy, java.lang.reflect.Method method, Object @Nullable [] arguments)
				throws Throwable {
			if (this.broken) {
				return afterTheBreak(method.getName());
			}
			CommitFault fault = method.getName().equals("commit") ? FaultyCommits.this.next.getAndSet(null) : null;
			if (fault != null) {
				throw broken(fault);
			}
			try {
				return method.invoke(this.connection, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

		private SQLException broken(CommitFault fault) throws SQLException {
			this.broken = true;
			if (fault == CommitFault.LATE) {
				FaultyCommits.this.late.add(this.connection);
			}
			else {
				if (fault == CommitFault.REPLY_LOST) {
					this.connection.commit();
				}
				else {
					this.connection.rollback();
				}
				this.connection.close();
			}
			return new SQLException("The connection was cut", "08006");
		}

		private static @Nullable Object afterTheBreak(String method) throws SQLException {
			return switch (method) {
				case "close" -> null;
				case "isClosed" -> true;
				default -> throw new SQLException("The connection was cut", "08003");
			};
		}

	}

}
