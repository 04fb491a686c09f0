package io.idempotent.programs;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.idempotent.programs.Transaction.Mark;

/**
 * One run of an operation, from its body's entry to its fate.
 */
final class Run {

	/**
	 * Runs under one claim, of which one may commit what another has begun.
	 */
	static final class Attempt {

		private boolean withdrawn;

		private boolean refused;

		void withdraw() {
			this.withdrawn = true;
		}

		boolean isWithdrawn() {
			return this.withdrawn;
		}

		boolean isRefused() {
			return this.refused;
		}

	}

	/** How far its answer says that nothing took effect. */
	private enum Rejection {

		NONE, SURE, PERHAPS

	}

	private final KeyModel key;

	private final String value;

	private final Strand strand;

	private final List<Mark> scope;

	private final Attempt attempt;

	private boolean bodyReturned;

	private boolean ended;

	private boolean returned;

	private boolean refused;

	/** The store has forgotten its claim. */
	private boolean orphan;

	/** Its lease has lapsed. */
	private boolean lapsed;

	private Rejection rejection = Rejection.NONE;

	private boolean superseded;

	private boolean endedWhileAway;

	private boolean decided;

	private boolean ambiguous;

	private boolean doubted;

	Run(KeyModel key, String value, Strand strand, List<Mark> scope, Attempt attempt) {
		this.key = key;
		this.value = value;
		this.strand = strand;
		this.scope = scope;
		this.attempt = attempt;
		this.ambiguous = scope.stream().anyMatch((mark) -> strand.isAroundCallback(mark.transaction()));
	}

	KeyModel key() {
		return this.key;
	}

	String value() {
		return this.value;
	}

	Strand strand() {
		return this.strand;
	}

	List<Mark> scope() {
		return this.scope;
	}

	Attempt attempt() {
		return this.attempt;
	}

	void bodyReturned() {
		this.bodyReturned = true;
	}

	boolean hasBodyReturned() {
		return this.bodyReturned;
	}

	/**
	 * Its call has returned or thrown.
	 * @param normally whether it returned with the run's own result
	 * @param away whether the store could not be reached
	 */
	void ended(boolean normally, boolean away) {
		this.ended = true;
		this.returned = normally;
		this.endedWhileAway = away;
	}

	boolean hasEnded() {
		return this.ended;
	}

	boolean hasReturned() {
		return this.returned;
	}

	/**
	 * Its answer is a 4xx.
	 * @param sure whether it is its own, and not that of what it has met
	 */
	void rejected(boolean sure) {
		this.rejection = sure ? Rejection.SURE : Rejection.PERHAPS;
	}

	boolean isRejected() {
		return this.rejection == Rejection.SURE;
	}

	boolean isPerhapsRejected() {
		return this.rejection == Rejection.PERHAPS;
	}

	/** A transaction of it met the receipt of another attempt. */
	void refused() {
		this.refused = true;
		this.attempt.refused = true;
	}

	boolean isRefused() {
		return this.refused;
	}

	void forget() {
		this.orphan = true;
	}

	/** It runs under the claim of an earlier one, whatever has become of that. */
	void continues(Run earlier) {
		this.orphan |= earlier.orphan;
		this.lapsed |= earlier.lapsed;
		this.superseded |= earlier.superseded;
	}

	void lapse() {
		this.lapsed = true;
	}

	boolean isLapsed() {
		return this.lapsed;
	}

	/** Another run was granted its claim. */
	void supersede() {
		this.superseded = true;
	}

	boolean holdsClaim() {
		return !this.orphan && !this.superseded;
	}

	boolean hasEndedWhileAway() {
		return this.endedWhileAway;
	}

	void decided() {
		this.decided = true;
	}

	boolean isDecided() {
		return this.decided;
	}

	/** Whether a transaction of its scope is open, so that nothing is decided. */
	boolean isPending() {
		return this.scope.stream().anyMatch(Mark::isOpen);
	}

	/** The transactions of its scope that are open. */
	Set<Transaction> openScope() {
		Set<Transaction> open = new HashSet<>();
		this.scope.stream().filter(Mark::isOpen).forEach((mark) -> open.add(mark.transaction()));
		return open;
	}

	/**
	 * Whether it was called after the completion of one transaction, inside of another.
	 */
	boolean isAmbiguous() {
		return this.ambiguous;
	}

	/** It was called in a transaction that had completed, and in another. */
	void ambiguous() {
		this.ambiguous = true;
	}

	/** Whether the reply to a commit of its scope was lost. */
	boolean isInDoubt() {
		return this.scope.stream().anyMatch((mark) -> mark.transaction().isInDoubt());
	}

	/** The reply to a commit of a transaction that began inside of it was lost. */
	void doubt() {
		this.doubted = true;
	}

	boolean isDoubted() {
		return this.doubted;
	}

	/** Whether Spring contradicts the database about its scope. */
	boolean isContradictory() {
		return this.scope.stream().anyMatch((mark) -> mark.transaction().isContradictory());
	}

	/**
	 * Whether what it did may be undone, though transactions of its scope may be open.
	 * @param receipts whether the guarded transaction decides alone
	 */
	boolean isUndone(boolean receipts) {
		return decisive(receipts).stream()
			.anyMatch((mark) -> mark.isUndone() || (!mark.isOpen() && !mark.isCommitted())
					|| mark.transaction().isInDoubt());
	}

	private List<Mark> decisive(boolean receipts) {
		List<Mark> guarded = this.scope.stream().filter((mark) -> mark.transaction().carriesReceipts()).toList();
		return (receipts && !guarded.isEmpty()) ? guarded : this.scope;
	}

	/** Whether callbacks of its transactions may still run. */
	boolean isSettling() {
		return this.scope.stream().anyMatch((mark) -> !mark.isOpen() && !mark.transaction().isClosed());
	}

	boolean inScope(Transaction transaction) {
		return marksOf(transaction).stream().anyMatch((mark) -> !mark.isUndone());
	}

	Collection<Mark> marksOf(Transaction transaction) {
		return this.scope.stream().filter((mark) -> mark.transaction() == transaction).toList();
	}

	@Override
	public String toString() {
		return this.value;
	}

}
