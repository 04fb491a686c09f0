package io.idempotent.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Warns of operations that were meant to leave a receipt and left none, once for each:
 * what they have committed is not protected by it.
 */
final class MissingReceipts {

	private static final Log logger = LogFactory.getLog(Receipts.class);

	/** Should somebody make names up. */
	private static final int MAX_OPERATIONS = 1_000;

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Checks an operation that has ended well.
	 * @param effect its effect if there was no receipt, or {@code null}
	 */
	void check(@Nullable EffectStatus effect) {
		if (effect != null && this.warned.size() < MAX_OPERATIONS && this.warned.add(effect.operation())) {
			logger.warn("Operation '" + effect.operation() + "' succeeded without a receipt: " + reason(effect)
					+ ". What it has written is not protected by a receipt: a second run of the same key may write it "
					+ "again if its record is lost. Write in a transaction on the guarded DataSource that the "
					+ "operation's own thread begins, with IdempotencyContext.wrap in other threads, or set "
					+ "idempotent.operations.<name>.receipt=off if it writes nothing there (see docs/receipts.md)");
		}
	}

	private static String reason(EffectStatus effect) {
		return effect.wasElsewhere()
				? "its transactions were not on the guarded DataSource, but on another one, of JTA or of a message broker"
				: "its thread had no Spring transaction; other threads, R2DBC, statements without a transaction and "
						+ "transaction managers that are not beans are not observed";
	}

}
