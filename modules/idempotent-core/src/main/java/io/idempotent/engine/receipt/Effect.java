package io.idempotent.engine.receipt;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.idempotent.engine.event.GateListener.ReceiptEvent;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Outcome;
import io.idempotent.transaction.TransactionOutcome;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Whether one attempt took effect in the guarded database: by what {@link Receipts}
 * observe of its transactions, or else by its receipt. Safe for use by several threads:
 * each may commit transactions of the attempt.
 */
public final class Effect {

	/** Of an attempt that leaves no receipt: never known. */
	public static final Effect NONE = new Effect();

	/** For a read-only transaction, which decides nothing. */
	public static final Supplier<TransactionOutcome> READ_ONLY = () -> TransactionOutcome.OPEN;

	private static final Log logger = LogFactory.getLog(Effect.class);

	private final @Nullable ClaimId claim;

	private final @Nullable Receipts receipts;

	private final Consumer<ReceiptEvent> listener;

	private volatile Observed observed = Observed.NOTHING;

	private volatile State state = Known.NOTHING;

	private volatile Outcome outcome = Outcome.TOMBSTONE;

	private Effect() {
		this.claim = null;
		this.receipts = null;
		this.listener = (event) -> {
		};
	}

	public Effect(ClaimId claim, Receipts receipts, Consumer<ReceiptEvent> listener) {
		this.claim = claim;
		this.receipts = receipts;
		this.listener = listener;
	}

	/** Not of {@link #NONE}. */
	public ClaimId claimId() {
		return Objects.requireNonNull(this.claim);
	}

	/** Rolls back guarded transactions if another attempt has taken effect. */
	public <T extends @Nullable Object, X extends Throwable> T execute(ThrowingSupplier<T, X> work) throws X {
		if (this.receipts == null) {
			return work.get();
		}
		forgetAbsence();
		return this.receipts.execute(this, work);
	}

	/** What was not there may come meanwhile. */
	private synchronized void forgetAbsence() {
		if (this.state == Known.ABSENT) {
			this.state = Known.NOTHING;
		}
		else if (this.state == Known.NOT_ARRIVED) {
			this.state = Known.IN_DOUBT;
		}
	}

	/**
	 * Makes the open transaction part of the operation, within {@link #execute}. Gives
	 * its outcome from here on; {@link #READ_ONLY} if it may not write, {@code null} if
	 * no guarded transaction is open.
	 */
	public @Nullable Supplier<TransactionOutcome> join() {
		return (this.receipts != null) ? this.receipts.join(this) : null;
	}

	/** The attempt leaves no receipt, whatever it commits from now on. */
	public void exempt() {
		observe(Observed.EXEMPT);
	}

	public boolean isExempt() {
		return this.observed == Observed.EXEMPT;
	}

	/** To be stored with the receipt: a tombstone unless known before the commit. */
	public Outcome outcome() {
		return this.outcome;
	}

	/** Call while the transaction of the operation is still open. */
	public void commitsWith(Outcome known) {
		if (this != NONE) {
			this.outcome = known;
		}
	}

	/** What was stored with the receipt: a tombstone where it was not known before. */
	public Outcome kept() {
		return (this.state instanceof Committed committed) ? committed.kept() : Outcome.TOMBSTONE;
	}

	public void addGuarded() {
		observe(Observed.GUARDED);
	}

	public void addUnguarded() {
		observe(Observed.UNGUARDED);
	}

	private synchronized void observe(Observed more) {
		if (this != NONE && more.compareTo(this.observed) > 0) {
			this.observed = more;
		}
	}

	public boolean isCommitted() {
		return this.state instanceof Committed;
	}

	/** Also once the receipt is found: the operation could not know of its effect. */
	public boolean isInDoubt() {
		return this.state == Known.IN_DOUBT || this.state == Known.ARRIVED;
	}

	/**
	 * Whether a transaction was rolled back, because the operation had taken effect
	 * before: in another attempt, or in this one, by a commit whose reply was lost.
	 */
	public boolean isDuplicate() {
		return this.state == Known.DUPLICATE || this.state == Known.REUSED;
	}

	/** A duplicate remains one, since a transaction of this attempt was rolled back. */
	public synchronized void markCommitted(Outcome stored) {
		if (!isDuplicate()) {
			boolean known = isCommitted();
			this.state = new Committed(stored);
			if (!known) {
				this.listener.accept(ReceiptEvent.WRITTEN);
			}
		}
	}

	/** No receipt existed when another one was inserted: the doubted commit failed. */
	public synchronized void markNotCommitted() {
		if (mayStillCommit()) {
			this.state = Known.NOTHING;
		}
	}

	/** Without effect if another transaction of the attempt has shown the outcome. */
	public synchronized void markInDoubt() {
		boolean open = this.state == Known.NOTHING || this.state == Known.ABSENT || this.state == Known.NOT_ARRIVED;
		if (open && this != NONE) {
			this.state = Known.IN_DOUBT;
		}
	}

	public synchronized void markDuplicate() {
		if (!isDuplicate()) {
			change(Known.DUPLICATE, ReceiptEvent.REFUSED);
		}
	}

	/** Whether any attempt is known to have taken effect. Asks no database. */
	public boolean exists() {
		return isCommitted() || isDuplicate();
	}

	/** Whether the effect found is of other content with the same key. */
	public boolean isReused() {
		return this.state == Known.REUSED;
	}

	/** Whether a commit in doubt may still arrive, although no receipt was found. */
	public boolean mayStillCommit() {
		return isInDoubt() || this.state == Known.NOT_ARRIVED;
	}

	/** Whether all of its transactions were on other resources. */
	public boolean hasOnlyUnguarded() {
		return this.observed == Observed.UNGUARDED;
	}

	/** Whether an attempt that succeeded should have left a receipt, and left none. */
	boolean isMissing() {
		return this != NONE && !exists() && !isInDoubt() && this.observed.compareTo(Observed.GUARDED) < 0;
	}

	/**
	 * Whether another attempt took effect, so that a failure of this one is not the
	 * answer. Looks up the receipt if that is not known.
	 */
	public boolean findDuplicate() {
		if (!isDuplicate()) {
			find();
		}
		return isDuplicate();
	}

	/**
	 * The outcome of any attempt that took effect. Blocks for one statement if the
	 * receipt is looked up. If nothing is found, a commit {@link #isInDoubt in doubt}
	 * remains so only if the lookup failed.
	 */
	public @Nullable Outcome find() {
		if (this.receipts == null) {
			return null;
		}
		if (this.state instanceof Committed committed) {
			return committed.kept();
		}
		boolean absent = this.state == Known.ABSENT || this.state == Known.NOT_ARRIVED;
		return absent ? null : find(this.receipts);
	}

	private @Nullable Outcome find(Receipts receipts) {
		try {
			Optional<Receipts.Receipt> found = receipts.find(claimId().key());
			if (found.isPresent()) {
				found(found.get());
				return isReused() ? null : found.get().outcome();
			}
			notFound();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("The receipt of " + this.claim + " could not be looked up", ex);
		}
		// A duplicate has found a receipt, even if that has been deleted meanwhile.
		return (this.state == Known.DUPLICATE) ? Outcome.TOMBSTONE : null;
	}

	/** Shows how a commit in doubt ended, and whether another attempt took effect. */
	private synchronized void found(Receipts.Receipt receipt) {
		if (receipt.owner().equals(claimId().owner())) {
			if (mayStillCommit()) {
				change(Known.ARRIVED, ReceiptEvent.RESOLVED);
			}
			return;
		}
		State duplicate = receipt.mayBeOf(claimId().key(), claimId().fingerprint()) ? Known.DUPLICATE : Known.REUSED;
		if (isDuplicate()) {
			this.state = duplicate;
		}
		else if (!isCommitted()) {
			change(duplicate, ReceiptEvent.RESOLVED);
		}
	}

	/** A commit in doubt has failed, unless it is still on its way to the database. */
	private synchronized void notFound() {
		if (this.state == Known.NOTHING) {
			this.state = Known.ABSENT;
		}
		else if (isInDoubt()) {
			this.state = Known.NOT_ARRIVED;
		}
	}

	/** For another attempt that has taken the record over: it finds the outcome there. */
	public void keep(Outcome known) {
		if (this.receipts == null || !(isCommitted() || isInDoubt()) || !(known instanceof Outcome.Stored)
				|| known.equals(kept())) {
			return;
		}
		try {
			this.receipts.keep(this, known);
		}
		catch (RuntimeException | Error ex) {
			logger.warn(
					"The answer of " + this.claim + " could not be kept with its receipt: repeats will get no answer",
					ex);
		}
	}

	/**
	 * Deletes the receipt of an operation that reported no effect; not that of a commit
	 * in doubt, of which the operation could not know.
	 */
	public void withdraw() {
		if (this.receipts == null || !isCommitted()) {
			return;
		}
		String named = "Operation '" + claimId().operation() + "' (key " + claimId().key()
				+ ") reported that it took no effect";
		try {
			this.receipts.withdraw(this);
			synchronized (this) {
				change(Known.NOTHING, ReceiptEvent.WITHDRAWN);
			}
			logger.info(named + ", as by a 4xx response, after a commit: its receipt was deleted, "
					+ "and the next submission runs it again");
		}
		catch (RuntimeException | Error ex) {
			logger.warn(named + ", but its receipt could not be deleted: it is recorded as done", ex);
		}
	}

	private void change(State next, ReceiptEvent event) {
		if (this.state != next) {
			this.state = next;
			this.listener.accept(event);
		}
	}

	@Override
	public String toString() {
		return "Effect of " + this.claim + ": " + this.state;
	}

	/** What was observed of its transactions; each outweighs those before. */
	private enum Observed {

		NOTHING, UNGUARDED, GUARDED, EXEMPT

	}

	/** What is known of the attempt: by its own transactions, then by a look-up. */
	private sealed interface State {

	}

	/** The receipt was committed, together with an effect. */
	private record Committed(Outcome kept) implements State {
	}

	private enum Known implements State {

		NOTHING,

		/** No receipt was found, of any attempt. */
		ABSENT,

		/** A commit that includes the receipt failed, or only its reply was lost. */
		IN_DOUBT,

		/** No receipt was found after a doubt: its commit may still arrive. */
		NOT_ARRIVED,

		/** The receipt was found after a doubt. */
		ARRIVED,

		/** Another receipt existed before: this attempt can commit nothing. */
		DUPLICATE,

		/** The same, by another submission with the same key. */
		REUSED

	}

}
