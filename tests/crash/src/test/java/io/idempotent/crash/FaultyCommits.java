package io.idempotent.crash;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import io.idempotent.testing.ObservedDataSource;
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
		Connection connection = super.getConnection();
		AtomicBoolean broken = new AtomicBoolean();
		return ObservedDataSource.intercept(connection, (call) -> {
			String method = call.getMethod().getName();
			if (broken.get()) {
				return afterTheBreak(method);
			}
			CommitFault fault = method.equals("commit") ? this.next.getAndSet(null) : null;
			if (fault == null) {
				return call.proceed();
			}
			broken.set(true);
			cut(connection, fault);
			throw new SQLException("The connection was cut", "08006");
		});
	}

	private void cut(Connection connection, CommitFault fault) throws SQLException {
		if (fault == CommitFault.LATE) {
			this.late.add(connection);
			return;
		}
		if (fault == CommitFault.REPLY_LOST) {
			connection.commit();
		}
		else {
			connection.rollback();
		}
		connection.close();
	}

	private static @Nullable Object afterTheBreak(String method) throws SQLException {
		return switch (method) {
			case "close" -> null;
			case "isClosed" -> true;
			default -> throw new SQLException("The connection was cut", "08003");
		};
	}

	/** What happens to one COMMIT; its caller gets an exception each time. */
	enum CommitFault {

		/** The database commits, and the reply is lost. */
		REPLY_LOST,

		/** The COMMIT stays on its way until it is delivered. */
		LATE,

		/** The COMMIT never arrives. */
		LOST

	}

}
