package io.idempotent.audit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * What operators have changed on this node: in the audit log, and the last of it here.
 */
public final class AuditTrail<T> {

	/** How many changes are kept. */
	public static final int CAPACITY = 100;

	private static final Log logger = LogFactory.getLog(AuditTrail.class);

	private final Deque<T> last = new ArrayDeque<>();

	private final Function<T, AuditLine> line;

	private final Consumer<T> listener;

	/** The listener is called after each change; its failure is logged. */
	public AuditTrail(Function<T, AuditLine> line, Consumer<T> listener) {
		this.line = line;
		this.listener = listener;
	}

	public void add(T change) {
		this.line.apply(change).write();
		synchronized (this.last) {
			this.last.addFirst(change);
			if (this.last.size() > CAPACITY) {
				this.last.removeLast();
			}
		}
		try {
			this.listener.accept(change);
		}
		catch (RuntimeException ex) {
			logger.warn("A listener failed on an intervention, which is written to the audit log", ex);
		}
	}

	public List<T> newestFirst() {
		synchronized (this.last) {
			return List.copyOf(this.last);
		}
	}

}
