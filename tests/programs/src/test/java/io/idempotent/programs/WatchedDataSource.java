package io.idempotent.programs;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.CannotCreateTransactionException;

/**
 * Sees at each connection what becomes of transactions, and lets commits fail.
 */
final class WatchedDataSource extends DelegatingDataSource {

	private final boolean autoCommit;

	/** Belongs to one world. */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<Boolean> exhausted = ThreadLocal.withInitial(() -> false);

	WatchedDataSource(DataSource target, boolean autoCommit) {
		super(target);
		this.autoCommit = autoCommit;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		connection.setAutoCommit(this.autoCommit);
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Connection.class, Watched.class }, new Watch(connection));
	}

	/**
	 * Lets the next transaction that the current thread begins have no connection.
	 * @param now whether it is so
	 */
	void exhaust(boolean now) {
		this.exhausted.set(now);
	}

	void requireConnection() {
		if (this.exhausted.get()) {
			this.exhausted.remove();
			throw new CannotCreateTransactionException("planned", new InjectedFailure("no connection"));
		}
	}

	/**
	 * A failure of the database that was planned.
	 */
	static final class InjectedFailure extends SQLException {

		private static final long serialVersionUID = 1L;

		InjectedFailure(Object fault) {
			super("planned: " + fault, "08006");
		}

	}

	/**
	 * A connection that is watched.
	 */
	interface Watched {

		/**
		 * A transaction of an application was begun.
		 * @param transaction what is known of it
		 * @param told hears of its completion
		 */
		void begun(Transaction transaction, Consumer<Transaction> told);

		/**
		 * The next commit fails.
		 * @param fault how
		 */
		void failCommit(CommitFault fault);

	}

	private static final class Watch implements InvocationHandler, Watched {

		private final Connection target;

		private final Map<Savepoint, Integer> savepoints = new HashMap<>();

		private @Nullable Transaction transaction;

		private @Nullable Consumer<Transaction> told;

		private @Nullable CommitFault fault;

		Watch(Connection target) {
			this.target = target;
		}

		@Override
		public void begun(Transaction begun, Consumer<Transaction> hears) {
			this.transaction = begun;
			this.told = hears;
			this.fault = null;
			this.savepoints.clear();
		}

		@Override
		public void failCommit(CommitFault next) {
			this.fault = next;
		}

		@Override
		public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
				throws Throwable {
			Transaction open = this.transaction;
			if (method.getDeclaringClass() == Watched.class) {
				return call(this, method, arguments);
			}
			if (open == null || !open.isOpen()) {
				Object result = call(this.target, method, arguments);
				if (open != null && method.getName().equals("close")) {
					open.close();
				}
				return result;
			}
			return invoke(open, method, arguments);
		}

		private @Nullable Object invoke(Transaction open, Method method, @Nullable Object @Nullable [] arguments)
				throws Throwable {
			switch (method.getName()) {
				case "commit" -> commit(open);
				case "close" -> {
					this.target.close();
					open.close();
				}
				case "rollback" -> {
					if (arguments != null && arguments.length == 1) {
						this.target.rollback((Savepoint) arguments[0]);
						open.rollbackTo(this.savepoints.getOrDefault(arguments[0], 0));
					}
					else {
						this.target.rollback();
						completed(open, Transaction.Fate.ROLLED_BACK, false);
					}
				}
				case "setAutoCommit" -> {
					call(this.target, method, arguments);
					// Spring has neither committed nor rolled back: the driver commits.
					completed(open, Transaction.Fate.COMMITTED, false);
				}
				default -> {
					Object result = call(this.target, method, arguments);
					if (result instanceof Savepoint savepoint) {
						this.savepoints.put(savepoint, open.position());
					}
					return result;
				}
			}
			return null;
		}

		private void commit(Transaction open) throws SQLException {
			CommitFault planned = this.fault;
			this.fault = null;
			if (planned == CommitFault.NOT_COMMITTED) {
				this.target.rollback();
				completed(open, Transaction.Fate.ROLLED_BACK, true);
				throw new InjectedFailure(planned);
			}
			boolean failed = hasFailed();
			try {
				this.target.commit();
			}
			catch (SQLException ex) {
				completed(open, Transaction.Fate.ROLLED_BACK, false);
				throw ex;
			}
			completed(open, failed ? Transaction.Fate.ROLLED_BACK : Transaction.Fate.COMMITTED,
					failed || planned != null);
			if (planned != null) {
				throw new InjectedFailure(planned);
			}
		}

		/** PostgreSQL rolls such a transaction back, and its driver says nothing. */
		private boolean hasFailed() throws SQLException {
			return this.target.isWrapperFor(BaseConnection.class)
					&& this.target.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED;
		}

		private void completed(Transaction open, Transaction.Fate fate, boolean inDoubt) {
			open.complete(fate, inDoubt);
			if (this.told != null) {
				this.told.accept(open);
			}
		}

		private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
				throws Throwable {
			try {
				return method.invoke(target, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getCause();
			}
		}

	}

}
