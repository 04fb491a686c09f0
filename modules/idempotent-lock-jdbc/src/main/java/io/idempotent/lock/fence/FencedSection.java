package io.idempotent.lock.fence;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import io.idempotent.lock.DistributedLock;
import org.jspecify.annotations.Nullable;

/**
 * What one thread runs under locks whose fences its transactions raise. In the order of
 * names, so that two who raise the same fences do not wait for each other.
 */
final class FencedSection {

	private final @Nullable FencedSection outer;

	/** Those of the sections around this one included. */
	private final SortedMap<String, Long> tokens = new TreeMap<>();

	private final Set<String> unraised = new HashSet<>();

	private @Nullable RuntimeException refusal;

	FencedSection(@Nullable FencedSection outer, Collection<DistributedLock> locks) {
		this.outer = outer;
		if (outer != null) {
			this.tokens.putAll(outer.tokens);
		}
		for (DistributedLock lock : locks) {
			this.tokens.put(lock.qualifiedName(), lock.fencingToken());
			this.unraised.add(lock.qualifiedName());
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
	 * Adds the reason to what may have come of it: some databases answer to a statement
	 * that an earlier one has failed, and do not say why.
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
					+ ", so whatever was written was not protected: write in a transaction that is not read-only, on "
					+ "the guarded DataSource, begun by this thread with a transaction manager that tells "
					+ "TransactionExecutionListener beans, or do not ask for fences");
		}
	}

}
