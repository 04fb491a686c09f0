package io.idempotent.submission.receipt;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.idempotent.WhenCompleted;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.submission.event.GateListener.ReceiptEvent;
import io.idempotent.submission.policy.OperationPolicy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Receipts} of operations; without receipts, nothing is found. Safe for use by
 * several threads.
 */
public final class OperationReceipts {

	private static final Log logger = LogFactory.getLog(Receipts.class);

	/** In case an application generates names. */
	private static final int MAX_WARNINGS = 1_000;

	private final @Nullable Receipts receipts;

	private final Consumer<ReceiptEvent> listener;

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	public OperationReceipts(@Nullable Receipts receipts, Consumer<ReceiptEvent> listener) {
		this.receipts = receipts;
		this.listener = listener;
	}

	public AttemptReceipt of(OperationPolicy policy, ClaimId claim) {
		return (policy.receipt() && this.receipts != null) ? new AttemptReceipt(claim, this.receipts, this.listener)
				: AttemptReceipt.NONE;
	}

	/** A failure counts as no receipt: a second effect would not be committed. */
	public Proof find(OperationPolicy policy, OperationKey key, Fingerprint submitted) {
		try {
			return lookUp(policy, key, submitted);
		}
		catch (StoreUnavailableException ex) {
			return Proof.NONE;
		}
	}

	/** The same, but throws {@link StoreUnavailableException} for any failure. */
	public Proof lookUp(OperationPolicy policy, OperationKey key, Fingerprint submitted) {
		if (!policy.receipt() || this.receipts == null) {
			return Proof.NONE;
		}
		try {
			return this.receipts.find(key)
				.map((found) -> found.mayBeOf(key, submitted) ? new Proof(found.outcome(), false)
						: new Proof(null, true))
				.orElse(Proof.NONE);
		}
		catch (Throwable ex) {
			String what = "Could not look up the receipt of operation '" + policy.operation() + "' (key " + key
					+ "), whose outcome is unknown";
			lookUpFailed(what, false, ex);
			throw new StoreUnavailableException(what, ex);
		}
	}

	/** One line for a submission, which may look more than once. */
	static void lookUpFailed(String what, boolean logged, Throwable failure) {
		if (!logged) {
			logger.warn(what + " (" + failure.getMessage() + ")");
		}
		logger.debug(what, failure);
	}

	/** Warns once for each operation that should have left a receipt. */
	public void warnIfMissing(String operation, AttemptReceipt receipt) {
		if (!receipt.isMissing() || this.warned.size() >= MAX_WARNINGS || !this.warned.add(operation)) {
			return;
		}
		logger.warn("Operation '" + operation + "' succeeded without a receipt: " + (receipt.hasOnlyUnguarded()
				? "its transactions were not on the guarded DataSource, but on another one, of JTA or of a message "
						+ "broker"
				: "its thread had no Spring transaction; other threads, R2DBC, statements without a transaction "
						+ "and transaction managers that are not beans are not observed")
				+ ". What it has written is not protected by a receipt: a second run of the same key may write it "
				+ "again if its record is lost. Write in a transaction on the guarded DataSource that the "
				+ "operation's own thread begins, with IdempotencyContext.wrap in other threads, or set "
				+ "idempotent.operations[" + operation
				+ "].receipt=off if it writes nothing there (see docs/receipts.md)");
	}

	/**
	 * What the receipt of any attempt proves.
	 *
	 * @param outcome of what was submitted; {@code null} if there is no receipt of that
	 * @param isReused whether the receipt is of another submission with the same key
	 */
	public record Proof(@Nullable Outcome outcome, boolean isReused) {

		static final Proof NONE = new Proof(null, false);

		/** The answer that is kept with the receipt, if it is replayed. */
		public Outcome.@Nullable Stored answer(OperationPolicy policy) {
			return (policy.whenCompleted() == WhenCompleted.REPLAY && this.outcome instanceof Outcome.Stored kept)
					? kept : null;
		}

	}

}
