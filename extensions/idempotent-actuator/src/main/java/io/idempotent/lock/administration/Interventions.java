package io.idempotent.lock.administration;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.idempotent.audit.AuditLine;
import io.idempotent.audit.AuditTrail;
import io.idempotent.audit.BoundedText;
import io.idempotent.lock.administration.LockIntervention.Action;
import io.idempotent.lock.administration.LockIntervention.Result;
import org.jspecify.annotations.Nullable;

/** The last interventions of operators. Each is written to the audit log. */
final class Interventions {

	private final AuditTrail<LockIntervention> trail;

	Interventions(Consumer<LockIntervention> listener) {
		this.trail = new AuditTrail<>(Interventions::line, listener);
	}

	/** Also records a failure. The work returns whether there was something to do. */
	LockIntervention make(Request request, BooleanSupplier work) {
		boolean done;
		try {
			done = work.getAsBoolean();
		}
		catch (RuntimeException ex) {
			record(request, Result.FAILED);
			throw ex;
		}
		return record(request, done ? Result.DONE : Result.NOTHING_TO_DO);
	}

	private LockIntervention record(Request request, Result result) {
		LockIntervention intervention = new LockIntervention(Instant.now(), request.action(), request.name(),
				request.engine(), request.by(), request.reason(), result);
		this.trail.add(intervention);
		return intervention;
	}

	private static AuditLine line(LockIntervention intervention) {
		AuditLine line = AuditLine.of(text(intervention.action()));
		if (intervention.name() != null) {
			line.with("lock", intervention.name());
		}
		return line.with("engine", intervention.engine())
			.with("by", intervention.by())
			.quoted("reason", intervention.reason())
			.with("result", text(intervention.result()));
	}

	private static String text(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** The newest first. */
	List<LockIntervention> all() {
		return this.trail.newestFirst();
	}

	/** The name is null for all locks. */
	record Request(Action action, @Nullable String name, String engine, String by, String reason) {

		Request {
			by = BoundedText.require("name of who is responsible", by, BoundedText.MAX_REASON);
			reason = BoundedText.require("reason", reason, BoundedText.MAX_REASON);
		}

	}

}
