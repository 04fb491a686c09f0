package io.idempotent.lock.fence;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import io.idempotent.lock.DistributedLock;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Code that runs under locks, and the fences that its transactions must raise meanwhile:
 * in the order of their names, so that two transactions do not deadlock.
 */
final class FencedExecution {

	private final @Nullable FencedExecution outer;

	/** Including those of the outer executions. */
	private final SortedMap<String, Long> tokens = new TreeMap<>();

	private final Set<String> unraised = new HashSet<>();

	private @Nullable RuntimeException refusal;

	FencedExecution(@Nullable FencedExecution outer, Collection<DistributedLock> locks) {
		this.outer = outer;
		if (outer != null) {
			this.tokens.putAll(outer.tokens);
		}
		for (DistributedLock lock : locks) {
			String fence = lock.fenceName();
			this.tokens.put(fence, lock.fencingToken());
			this.unraised.add(fence);
		}
	}

	void raiseBy(FenceGuard guard) {
		this.tokens.forEach(guard::raise);
	}

	void raised(String name) {
		this.unraised.remove(name);
		if (this.outer != null) {
			this.outer.raised(name);
		}
	}

	void refuseCommit(RuntimeException reason) {
		this.refusal = reason;
		TransactionSynchronizationManager.registerSynchronization(new RefusedCommit(reason));
	}

	/** Adds the reason, since after a failed statement some databases hide the cause. */
	void explain(Throwable failure) {
		if (this.refusal != null && this.refusal != failure) {
			failure.addSuppressed(this.refusal);
		}
	}

	void requireRaised() {
		if (!this.unraised.isEmpty()) {
			throw new IllegalStateException("No transaction has raised the fence of " + this.unraised
					+ ", so that writes were not protected: write in a transaction that is not read-only, on "
					+ "the guarded DataSource, begun by this thread with a transaction manager that notifies "
					+ "TransactionExecutionListener beans, or do not ask for fences");
		}
	}

	/** Refuses a commit before any other synchronization prepares it. */
	private record RefusedCommit(RuntimeException reason) implements TransactionSynchronization {

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			throw this.reason;
		}

	}

}
