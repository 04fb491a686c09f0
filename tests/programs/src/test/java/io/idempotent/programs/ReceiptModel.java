package io.idempotent.programs;

import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What may be known of the receipt of one key.
 */
final class ReceiptModel {

	/** An answer that is known to have been given and cannot be replayed. */
	static final String TOMBSTONE = "tombstone";

	private final Set<String> kept = new HashSet<>();

	private Run.@Nullable Attempt attempt;

	private boolean inDoubt;

	private boolean missing;

	boolean isThere() {
		return this.attempt != null;
	}

	boolean isOf(Run run) {
		return this.attempt == run.attempt();
	}

	boolean isOfAnother(Run run) {
		return isThere() && !isOf(run);
	}

	/** Whether it is known that the attempt of a run has committed it. */
	boolean isSurelyOf(Run run) {
		return isOf(run) && !this.inDoubt;
	}

	/** Whether what a run commits now may be refused. */
	boolean mayRefuse(Run run) {
		return isOfAnother(run) || (isOf(run) && this.inDoubt);
	}

	/** Whether an effect may have been committed that left no receipt. */
	boolean isMissing() {
		return this.missing;
	}

	void missing() {
		this.missing = true;
	}

	/** The answers that may have been kept with it. */
	Set<String> kept() {
		return this.kept;
	}

	/**
	 * A transaction was committed in which a run took part.
	 * @param run the run
	 * @param transaction the transaction
	 * @param answer what the run answers
	 */
	void committed(Run run, Transaction transaction, String answer) {
		boolean known = run.inScope(transaction) && run.hasBodyReturned();
		if (!isThere() || (isOf(run) && known)) {
			boolean first = !isThere();
			this.attempt = run.attempt();
			if (first) {
				this.inDoubt = transaction.isInDoubt() || transaction.isContradictory();
			}
			this.kept.add(answer);
			if (!first || !known) {
				this.kept.add(TOMBSTONE);
			}
		}
	}

	/**
	 * A run says that nothing took effect, whatever it has committed.
	 * @param run the run
	 */
	void withdraw(Run run) {
		run.attempt().withdraw();
		if (isOf(run)) {
			this.attempt = null;
			this.inDoubt = false;
			this.kept.clear();
		}
	}

}
