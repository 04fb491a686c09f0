package io.idempotent.engine;

import java.util.Optional;

import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Receipts} of operations, if receipts are enabled; without them, every method
 * does nothing or finds nothing. Safe for use by several threads.
 */
public final class OperationReceipts {

	private static final Log logger = LogFactory.getLog(OperationReceipts.class);

	private final @Nullable Receipts receipts;

	private final ReceiptListener listener;

	private final MissingReceipts missing = new MissingReceipts();

	OperationReceipts(@Nullable Receipts receipts, ReceiptListener listener) {
		this.receipts = receipts;
		this.listener = listener;
	}

	/**
	 * Runs an operation. Its transactions on the guarded database are rolled back if
	 * another attempt has taken effect before.
	 * @param <T> the type of its result
	 * @param <X> the type of exception it throws
	 * @param effect the status of its effect, or {@code null} if it leaves no receipt
	 * @param operation the operation
	 * @throws X if the operation throws
	 */
	public <T extends @Nullable Object, X extends Throwable> T execute(@Nullable EffectStatus effect,
			ThrowingSupplier<T, X> operation) throws X {
		if (effect == null || this.receipts == null) {
			return operation.get();
		}
		effect.begins();
		return this.receipts.execute(effect, operation);
	}

	/**
	 * Whether an operation that has failed had taken effect in another attempt, so that
	 * its failure is not its answer. Looks up the receipt if that is not known.
	 * @param effect the status of its effect
	 * @return whether it is a duplicate
	 */
	public boolean isDuplicate(EffectStatus effect) {
		if (!effect.isDuplicate()) {
			proof(effect).find();
		}
		return effect.isDuplicate();
	}

	/**
	 * The operation's own code begins, within {@link #execute}. Called again where that
	 * code is retried.
	 * @param effect the status of its effect, or {@code null} if it leaves no receipt
	 */
	public void bodyBegins(@Nullable EffectStatus effect) {
		if (effect != null && this.receipts != null) {
			effect.transactions().bodyBegins(this.receipts.join(effect));
		}
	}

	/**
	 * Makes the open transaction of this thread part of an operation, within
	 * {@link #execute}, without letting it decide on the operation.
	 * @param effect the status of its effect
	 */
	void join(EffectStatus effect) {
		if (this.receipts != null) {
			this.receipts.join(effect);
		}
	}

	/**
	 * Looks up the receipt of an operation. A failure is logged and treated as if there
	 * were no receipt: the operation may run, since a second effect would not be
	 * committed.
	 * @param policy how the operation is treated
	 * @param key the operation key
	 * @return the outcome that was stored with the receipt, if there is one
	 */
	public Optional<Outcome> find(OperationPolicy policy, OperationKey key) {
		if (!policy.receipt() || this.receipts == null) {
			return Optional.empty();
		}
		try {
			return this.receipts.find(key).map(Receipts.Receipt::outcome);
		}
		catch (RuntimeException | Error ex) {
			logger.warn("Could not look up the receipt of operation '" + policy.operation() + "' (key " + key
					+ "), whose outcome is unknown: it is treated as if there were none", ex);
			return Optional.empty();
		}
	}

	/**
	 * Looks up the receipt of an operation whose outcome is unknown.
	 * @param policy how the operation is treated
	 * @param key the operation key
	 * @return as {@link #find}
	 */
	Optional<Outcome> resolve(OperationPolicy policy, OperationKey key) {
		Optional<Outcome> found = find(policy, key);
		if (found.isPresent()) {
			this.listener.onReceipt(ReceiptListener.Event.RESOLVED);
		}
		return found;
	}

	/**
	 * Creates the status of an attempt that has not begun.
	 * @param attempt the attempt
	 */
	EffectStatus status(OperationAttempt attempt) {
		return new EffectStatus(attempt, this.listener);
	}

	/**
	 * Looks up the result that was stored with the receipt of an operation.
	 * @param policy how the operation is treated
	 * @param key the operation key
	 * @return the outcome, if there is one that can be replayed
	 */
	public Optional<Outcome.Stored> findResult(OperationPolicy policy, OperationKey key) {
		return find(policy, key).filter(Outcome.Stored.class::isInstance).map(Outcome.Stored.class::cast);
	}

	/**
	 * The proof of one attempt.
	 * @param effect the status of its effect, or {@code null} if it leaves no receipt
	 */
	EffectProof proof(@Nullable EffectStatus effect) {
		return new EffectProof(effect, this.receipts);
	}

	/**
	 * Warns if an operation that succeeded should have left a receipt and left none.
	 * @param proof the proof of the operation
	 */
	void warnIfMissing(EffectProof proof) {
		EffectStatus effect = proof.effectWithoutReceipt();
		if (effect != null) {
			this.missing.warn(effect);
		}
	}

}
