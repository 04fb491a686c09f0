package io.idempotent.administration;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The interventions of this node: in memory, in the audit log, and for a listener.
 */
final class InterventionLog {

	private static final Log audit = LogFactory.getLog("io.idempotent.audit");

	private static final Log logger = LogFactory.getLog(InterventionLog.class);

	private static final int MAX_TEXT = 200;

	private final Consumer<Intervention> listener;

	private final Deque<Intervention> last = new ArrayDeque<>();

	InterventionLog(Consumer<Intervention> listener) {
		this.listener = listener;
	}

	/**
	 * Adds an intervention that was made.
	 */
	void add(Intervention intervention) {
		audit.info(line(intervention));
		synchronized (this.last) {
			this.last.addFirst(intervention);
			if (this.last.size() > IdempotencyAdministration.MAX_INTERVENTIONS) {
				this.last.removeLast();
			}
		}
		try {
			this.listener.accept(intervention);
		}
		catch (RuntimeException ex) {
			logger.warn("A listener failed on " + line(intervention), ex);
		}
	}

	/**
	 * Writes to the audit log that an intervention may have been made.
	 */
	void unconfirmed(Intervention intervention) {
		audit.info(line(intervention) + " (the store did not confirm it)");
	}

	List<Intervention> newestFirst() {
		synchronized (this.last) {
			return List.copyOf(this.last);
		}
	}

	private static String line(Intervention intervention) {
		String operation = intervention.operation();
		return intervention.action() + (intervention.forced() ? " by force" : "") + " of operation '"
				+ ((operation != null) ? printable(operation) : "unknown") + "' (key " + intervention.key() + ") by '"
				+ printable(intervention.by()) + "': " + printable(intervention.reason());
	}

	/** One line, however the text was entered. */
	private static String printable(String text) {
		String shortened = (text.length() > MAX_TEXT) ? text.substring(0, MAX_TEXT) + "..." : text;
		return shortened.replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]", "?");
	}

}
