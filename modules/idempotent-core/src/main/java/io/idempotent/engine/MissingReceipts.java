package io.idempotent.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Warns once for each operation that should have left a receipt and left none: its writes
 * are not protected by a receipt.
 */
final class MissingReceipts {

	private static final Log logger = LogFactory.getLog(Receipts.class);

	/** Bounds the memory if an application generates names. */
	private static final int MAX_OPERATIONS = 1_000;

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Warns of an operation that succeeded without a receipt.
	 * @param effect the status of its effect
	 */
	void warn(EffectStatus effect) {
		String operation = effect.attempt().operation();
		if (this.warned.size() < MAX_OPERATIONS && this.warned.add(operation)) {
			logger.warn("Operation '" + operation + "' succeeded without a receipt: " + reason(effect)
					+ ". What it has written is not protected by a receipt: a second run of the same key may write it "
					+ "again if its record is lost. Write in a transaction on the guarded DataSource that the "
					+ "operation's own thread begins, with IdempotencyContext.wrap in other threads, or set "
					+ "idempotent.operations.<name>.receipt=off if it writes nothing there (see docs/receipts.md)");
		}
	}

	private static String reason(EffectStatus effect) {
		return effect.transactions().hasUnguarded()
				? "its transactions were not on the guarded DataSource, but on another one, of JTA or of a message broker"
				: "its thread had no Spring transaction; other threads, R2DBC, statements without a transaction and "
						+ "transaction managers that are not beans are not observed";
	}

}
