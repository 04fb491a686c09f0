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
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Lets a database refuse a holder that has lost its lock without knowing it: each lock
 * has a fence there, the highest token that a transaction has come with, and a
 * transaction with a lower one is rolled back. Safe for use by many threads.
 *
 * <p>
 * A fence is raised when a transaction begins, on its own connection, and its row stays
 * locked until the transaction ends. So a transaction of a former holder has either ended
 * before, and everything it wrote is seen, or it never commits. That is promised for the
 * effects in this database, and only among transactions that raise the fence. A successor
 * waits for a former holder's transaction that is still open, even if its JVM stands
 * still: let the database end transactions that idle.
 *
 * <p>
 * <b>Tokens of different engines do not compare</b>, and those of the engine
 * {@code local} begin again with the JVM. Lower tokens are refused then, whoever has
 * them, until the row of the lock is deleted from the table, which is safe once no former
 * holder is left. Two holders with the same token are one to a fence.
 */
public final class FenceGuard implements LockFence {

	private final DataSource dataSource;

	private final FenceTable table;

	// Of this guard alone: another application in this JVM has its own.
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable FencedSection> section = new ThreadLocal<>();

	/** What the open transactions of a thread have raised, suspended ones included. */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable Map<String, RaisedFence>> raised = new ThreadLocal<>();

	/**
	 * Creates the guard.
	 * @param dataSource the database that is guarded
	 * @param table the table of fences
	 * @throws IllegalArgumentException if the table's name is no plain SQL identifier
	 */
	public FenceGuard(DataSource dataSource, String table) {
		this.dataSource = ShortStatements.unwrap(dataSource);
		this.table = new FenceTable(this.dataSource, table);
	}

	/**
	 * Raises the fence of a lock to the token of the current thread's hold, in the
	 * transaction that is open; see {@link #raise(String, long)}.
	 * @param lock the lock
	 * @throws IllegalMonitorStateException if the current thread does not hold it; a
	 * {@link LockLostException} if it did
	 */
	public void raise(DistributedLock lock) {
		raise(lock.qualifiedName(), lock.fencingToken());
	}

	/**
	 * Raises a fence in the transaction that is open: at its start, before it reads what
	 * it relies on. One statement, and none where an open transaction of this thread has
	 * raised the fence as high. Waits for other transactions that have raised it.
	 * @param name what is fenced, usually the name of a lock
	 * @param token the fencing token
	 * @throws LockLostException if somebody has come with a higher token; let it roll
	 * back
	 * @throws IllegalStateException if the current thread has no transaction on the
	 * guarded database, or one that is read-only
	 * @throws DataAccessException if the database refuses the statement
	 */
	public void raise(String name, long token) {
		Map<String, RaisedFence> fences = this.raised.get();
		RaisedFence open = (fences != null) ? fences.get(name) : null;
		if (open == null || !open.isStanding() || open.token() < token) {
			raiseInDatabase(name, token);
		}
		else if (open.token() > token) {
			throw stale(name, token);
		}
		FencedSection current = this.section.get();
		if (current != null) {
			current.raised(name);
		}
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
		RaisedFence fence = new RaisedFence(token, raising.point());
		Map<String, RaisedFence> fences = raisedHere();
		fences.put(name, fence);
		raising.afterCompletion(() -> forget(fences, name, fence));
	}

	private Map<String, RaisedFence> raisedHere() {
		Map<String, RaisedFence> fences = this.raised.get();
		if (fences == null) {
			fences = new ConcurrentHashMap<>();
			this.raised.set(fences);
		}
		return fences;
	}

	/**
	 * The open transaction on the guarded database, or the innermost one where nobody
	 * knows yet on which database it will be, as with JTA.
	 */
	private @Nullable ObservedTransaction raisingTransaction() {
		ObservedTransaction guarded = TransactionScope.openOn(this.dataSource);
		if (guarded != null) {
			return guarded;
		}
		List<ObservedTransaction> open = TransactionScope.open();
		return open.isEmpty() ? null : open.get(0);
	}

	/**
	 * What is remembered for the current thread.
	 * @return how many fences
	 */
	int fencesOfThread() {
		Map<String, RaisedFence> fences = this.raised.get();
		return (fences != null) ? fences.size() : 0;
	}

	/**
	 * JTA may complete the transaction on another thread than the one that has raised the
	 * fence in it: that one keeps an empty map at most.
	 */
	private void forget(Map<String, RaisedFence> fences, String name, RaisedFence fence) {
		fences.remove(name, fence);
		if (fences.isEmpty() && this.raised.get() == fences) {
			this.raised.remove();
		}
	}

	private static LockLostException stale(String name, long token) {
		return new LockLostException(name, "The token " + token + " of the lock '" + name
				+ "' is lower than that of its fence: the lock was granted to another holder since, so this transaction is "
				+ "rolled back", true);
	}

	/**
	 * Runs code under locks that the current thread holds, and raises their fences in
	 * each transaction that this thread begins on the guarded database meanwhile, or has
	 * open already. A read-only transaction raises none.
	 *
	 * <p>
	 * A transaction with a token that is too low runs to its end, since nothing can stop
	 * it when it begins, and is then rolled back instead of committed. Code that wants to
	 * stop at once calls {@link #raise(DistributedLock)} first.
	 * @param <T> the type of the code's result
	 * @param <X> the type of exception it throws
	 * @param locks the locks
	 * @param action the code
	 * @return its result
	 * @throws X what it throws
	 * @throws LockLostException if somebody has come with a higher token; then nothing
	 * was committed in the transaction that met it
	 * @throws IllegalMonitorStateException if the current thread does not hold the locks
	 * @throws IllegalStateException if the code ended well without a transaction that
	 * raised the fences: what it wrote, it wrote unprotected
	 */
	@Override
	public <T extends @Nullable Object, X extends Throwable> T execute(Collection<DistributedLock> locks,
			ThrowingSupplier<T, X> action) throws X {
		FencedSection outer = this.section.get();
		FencedSection inner = new FencedSection(outer, locks);
		this.section.set(inner);
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

	private void leave(@Nullable FencedSection outer) {
		if (outer != null) {
			this.section.set(outer);
		}
		else {
			this.section.remove();
		}
	}

	/**
	 * Raises the fences of the current thread in the transaction that it has just begun.
	 * Throws nothing: whoever begins a transaction cannot roll it back yet.
	 * @param transaction the transaction
	 */
	void began(ObservedTransaction transaction) {
		FencedSection current = this.section.get();
		if (current == null || transaction.isReadOnly() || !transaction.isOn(this.dataSource)) {
			return;
		}
		try {
			current.raiseBy(this);
		}
		catch (RuntimeException ex) {
			current.refused(ex);
			TransactionSynchronizationManager.registerSynchronization(new RefusedCommit(ex));
		}
	}

	private boolean isWritableTransactionOpen() {
		ObservedTransaction open = TransactionScope.openOn(this.dataSource);
		return open != null && !open.isReadOnly();
	}

}
