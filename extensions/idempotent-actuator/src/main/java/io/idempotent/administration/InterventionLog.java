package io.idempotent.administration;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

import io.idempotent.audit.AuditLine;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** The interventions of this node: in memory, in the audit log, and for a listener. */
final class InterventionLog {

	private static final Log logger = LogFactory.getLog(InterventionLog.class);

	private final Consumer<Intervention> listener;

	private final Deque<Intervention> last = new ArrayDeque<>();

	InterventionLog(Consumer<Intervention> listener) {
		this.listener = listener;
	}

	void add(Intervention intervention) {
		line(intervention).with("result", "done").write();
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
			logger.warn("A listener failed on an intervention, which is written to the audit log", ex);
		}
	}

	/** The intervention may have been made. */
	void unconfirmed(Intervention intervention) {
		line(intervention).with("result", "unconfirmed").write();
	}

	List<Intervention> newestFirst() {
		synchronized (this.last) {
			return List.copyOf(this.last);
		}
	}

	private static AuditLine line(Intervention intervention) {
		AuditLine line = AuditLine.of(intervention.action().name().toLowerCase(Locale.ROOT));
		if (intervention.operation() != null) {
			line.with("operation", intervention.operation());
		}
		return line.with("key", intervention.key())
			.with("by", intervention.by())
			.quoted("reason", intervention.reason())
			.with("forced", intervention.forced());
	}

}
