package io.idempotent.guard;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

import org.springframework.transaction.support.TransactionSynchronization;

/**
 * A fence that an open transaction has raised. Nobody else can raise it before that
 * transaction ends.
 */
final class RaisedFence implements TransactionSynchronization {

	private final long token;

	private final Consumer<RaisedFence> ended;

	/** Savepoints that were set after it was raised. */
	private final Set<Object> savepoints = new HashSet<>();

	private volatile boolean standing = true;

	RaisedFence(long token, Consumer<RaisedFence> ended) {
		this.token = token;
		this.ended = ended;
	}

	long token() {
		return this.token;
	}

	/**
	 * Whether the transaction still holds it: it has not ended, nor been rolled back to a
	 * savepoint from before.
	 * @return whether it does
	 */
	boolean isStanding() {
		return this.standing;
	}

	@Override
	public void savepoint(Object savepoint) {
		this.savepoints.add(savepoint);
	}

	@Override
	public void savepointRollback(Object savepoint) {
		if (!this.savepoints.contains(savepoint)) {
			this.standing = false;
		}
	}

	@Override
	public void afterCompletion(int status) {
		this.standing = false;
		this.ended.accept(this);
	}

}
