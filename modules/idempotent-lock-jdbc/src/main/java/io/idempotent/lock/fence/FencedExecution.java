package io.idempotent.lock.fence;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import io.idempotent.lock.DistributedLock;
import org.jspecify.annotations.Nullable;

/**
 * Code that a thread runs under locks, and the fences that its transactions must raise
 * meanwhile. Fences are raised in the order of their names, so that two transactions that
 * raise the same fences do not deadlock.
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

	/**
	 * Remembers why a transaction will be rolled back.
	 * @param reason the reason
	 */
	void refused(RuntimeException reason) {
		this.refusal = reason;
	}

	/**
	 * Adds the reason to an exception that may be its consequence: after a statement has
	 * failed, some databases refuse the next ones without the cause.
	 * @param failure what the code threw
	 */
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

}
