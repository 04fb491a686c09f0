package io.idempotent.lock.fence;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import io.idempotent.function.ThrowingSupplier;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockFence;
import io.idempotent.lock.LockLostException;
import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionScope;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

/**
 * Lets a database refuse the commit of a holder that has lost its lock without noticing.
 * Each lock has a fence in the database: the highest fencing token that a transaction has
 * presented. A transaction with a lower token is rolled back. Safe for use by many
 * threads.
 *
 * <p>
 * A fence is raised when a transaction starts, on the connection of that transaction, and
 * its row stays locked until the transaction ends. So a transaction of a former holder
 * has either ended before, and its successor sees everything it wrote, or it never
 * commits. That is promised for writes to this database, and only among transactions that
 * raise the fence. A successor waits for a transaction of a former holder that is still
 * open, even if the JVM of that holder is paused: configure the database to end idle
 * transactions.
 *
 * <p>
 * <b>Tokens of different engines cannot be compared</b>, and those of the engine
 * {@code local} start again with each JVM. Then lower tokens are refused, no matter who
 * holds the lock, until the row of the lock is deleted from the table, which is safe once
 * no former holder is left. A fence cannot distinguish two holders with the same token.
 */
public final class FenceGuard implements LockFence {

	private final DataSource dataSource;

	private final FenceTable table;

	/** Not static: another application in this JVM has its own guard. */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable FencedExecution> current = new ThreadLocal<>();

	/**
	 * Creates a guard for a database whose fences are in the given table.
	 * @throws IllegalArgumentException if the table's name is not a plain SQL identifier
	 */
	public FenceGuard(DataSource dataSource, String table) {
		this.dataSource = ShortStatements.unwrap(dataSource);
		this.table = new FenceTable(this.dataSource, table);
	}

	/**
	 * Raises the fence of a lock to the token of the current thread's hold, in the
	 * transaction that is open; see {@link #raise(String, long)}.
	 * @throws IllegalMonitorStateException if the current thread does not hold it; a
	 * {@link LockLostException} if it did
	 */
	public void raise(DistributedLock lock) {
		raise(lock.fenceName(), lock.fencingToken());
	}

	/**
	 * Raises a fence in the open transaction: at its start, before it reads any data it
	 * relies on. Takes one statement, or none if an open transaction of this thread has
	 * raised the fence to this token. Waits for other transactions that have raised it.
	 * @param name what is fenced, usually the name of a lock
	 * @throws LockLostException if another holder has raised the fence to a higher token;
	 * let it roll the transaction back
	 * @throws IllegalStateException if the current thread has no transaction on the
	 * guarded database, or one that is read-only
	 * @throws DataAccessException if the database refuses the statement
	 */
	public void raise(String name, long token) {
		RaisedFence raised = raised(name);
		if (raised == null || raised.token() < token) {
			raiseInDatabase(name, token);
		}
		else if (raised.token() > token) {
			throw stale(name, token);
		}
		FencedExecution execution = this.current.get();
		if (execution != null) {
			execution.raised(name);
		}
	}

	/**
	 * Checks whether the table of fences can be written, and writes nothing. Blocks for
	 * two statements.
	 * @throws DataAccessException if it cannot
	 */
	public void check() {
		this.table.check();
	}

	/** Until its transaction ends, which may be suspended, no other one can raise it. */
	private @Nullable RaisedFence raised(String name) {
		for (ObservedTransaction each : TransactionScope.openOrSuspended()) {
			RaisedFences raised = (RaisedFences) each.attribute(this);
			RaisedFence fence = (raised != null) ? raised.fences().get(name) : null;
			if (fence != null && fence.since().isOpen()) {
				return fence;
			}
		}
		return null;
	}

	private void raiseInDatabase(String name, long token) {
		ObservedTransaction raising = raisingTransaction();
		if (raising == null || raising.isReadOnly()) {
			throw new IllegalStateException("The fence '" + name
					+ "' is raised without a transaction that may write: raise it inside of one, such as that of a "
					+ "@Transactional method or a TransactionTemplate");
		}
		if (!this.table.raise(name, token)) {
			throw stale(name, token);
		}
		RaisedFences raised = (RaisedFences) raising.attribute(this, () -> new RaisedFences(new ConcurrentHashMap<>()));
		raised.fences().put(name, new RaisedFence(token, raising.point()));
	}

	/** With JTA the database is not known yet: then the innermost transaction. */
	private @Nullable ObservedTransaction raisingTransaction() {
		ObservedTransaction guarded = TransactionScope.openOn(this.dataSource);
		if (guarded != null) {
			return guarded;
		}
		List<ObservedTransaction> open = TransactionScope.open();
		return open.isEmpty() ? null : open.get(0);
	}

	private static LockLostException stale(String name, long token) {
		return new LockLostException(name, "The token " + token + " of the lock '" + name
				+ "' is lower than that of its fence: the lock was granted to another holder since, so this transaction is "
				+ "rolled back", true);
	}

	/**
	 * Runs code under locks that the current thread holds, and raises their fences in
	 * each transaction that this thread starts on the guarded database meanwhile, or has
	 * already open. A read-only transaction raises no fences.
	 *
	 * <p>
	 * A transaction with a token that is too low cannot be stopped when it starts. It
	 * runs to its end and is rolled back instead of committed. Code that should stop at
	 * once calls {@link #raise(DistributedLock)} first.
	 * @throws X what the code throws
	 * @throws LockLostException if another holder has raised a fence to a higher token;
	 * then the transaction with the lower one was rolled back
	 * @throws IllegalMonitorStateException if the current thread does not hold the locks
	 * @throws IllegalStateException if the code returned without a transaction that
	 * raised the fences, so that its writes were not protected
	 */
	@Override
	public <T extends @Nullable Object, X extends Throwable> T execute(Collection<DistributedLock> locks,
			ThrowingSupplier<T, X> action) throws X {
		FencedExecution outer = this.current.get();
		FencedExecution inner = new FencedExecution(outer, locks);
		this.current.set(inner);
		T result;
		try {
			if (isWritableTransactionOpen()) {
				inner.raiseBy(this);
			}
			result = action.get();
		}
		catch (Throwable ex) {
			inner.explain(ex);
			throw ex;
		}
		finally {
			leave(outer);
		}
		inner.requireRaised();
		return result;
	}

	private void leave(@Nullable FencedExecution outer) {
		if (outer != null) {
			this.current.set(outer);
		}
		else {
			this.current.remove();
		}
	}

	/**
	 * Throws nothing, since the transaction manager could not roll back yet; the
	 * transaction is refused when it commits.
	 */
	void began(ObservedTransaction transaction) {
		FencedExecution execution = this.current.get();
		if (execution == null || transaction.isReadOnly() || !transaction.isOn(this.dataSource)) {
			return;
		}
		try {
			execution.raiseBy(this);
		}
		catch (RuntimeException ex) {
			execution.refuseCommit(ex);
		}
	}

	private boolean isWritableTransactionOpen() {
		ObservedTransaction open = TransactionScope.openOn(this.dataSource);
		return open != null && !open.isReadOnly();
	}

	/** The fences that one transaction has raised, by their names. */
	private record RaisedFences(Map<String, RaisedFence> fences) {
	}

	/** Standing unless the transaction is rolled back to an earlier savepoint. */
	private record RaisedFence(long token, TransactionScope.Point since) {
	}

}
