package io.idempotent.steps.internal;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.audit.BoundedText;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.internal.ResumableMethods.ResumableMethod;
import io.idempotent.steps.internal.StepTables.StepAttempt;
import io.idempotent.store.Owner;
import io.idempotent.store.StoreUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What one attempt records of its steps. Each method is refused if another attempt has
 * taken the operation over, or if the database does not answer.
 */
final class AttemptRecords {

	private static final Log logger = LogFactory.getLog(OperationSteps.class);

	/** In code points, of which each may take two places. */
	static final int MAX_ERROR = 250;

	private final SubmissionContext context;

	private final Owner owner;

	private final String node;

	private final StepTables tables;

	private final EndedOperations ended;

	private final ResumableMethods resumable;

	AttemptRecords(SubmissionContext context, Owner owner, String node, StepTables tables, EndedOperations ended,
			ResumableMethods resumable) {
		this.context = context;
		this.owner = owner;
		this.node = node;
		this.tables = tables;
		this.ended = ended;
		this.resumable = resumable;
	}

	/** The steps that earlier attempts have begun; those of this one may be added. */
	Map<String, StoredStep> takeOver() {
		this.context.leaveNoReceipt();
		byte @Nullable [] arguments = arguments();
		List<StoredStep> stored = available(() -> this.tables.takeOver(attempt(), arguments))
			.orElseThrow(() -> refused(Refusal.KEY_REUSED, "steps of this key have begun with another content"));
		return stored.stream().collect(Collectors.toConcurrentMap(StoredStep::name, Function.identity()));
	}

	/** {@code null} if the operation cannot be called again. */
	private byte @Nullable [] arguments() {
		List<@Nullable Object> given = this.context.arguments();
		ResumableMethod method = this.resumable.find(this.context.operation());
		return (given != null && method != null) ? method.encode(given) : null;
	}

	/** Never blocks. */
	void end() {
		this.ended.add(this.context.submission().key(), this.owner);
	}

	void start(String name) {
		requireOwner(() -> this.tables.start(attempt(), name));
	}

	void repeat(String name) {
		requireOwner(() -> this.tables.mayRepeat(attempt(), name));
	}

	void finish(String name, byte[] result) {
		requireOwner(() -> this.tables.finish(attempt(), name, result));
	}

	/** Call when the transaction begins. */
	void requireTransaction(String name) {
		this.tables.requireTransaction(name);
	}

	/** In the open transaction. */
	void commitWith(String name, byte[] result, boolean failed) {
		requireOwner(() -> this.tables.commitWith(attempt(), name, result, failed));
	}

	/** For operators, and so that a repeat knows the name. Never throws. */
	void fail(String name, Throwable failure, boolean isRecorded) {
		String error = BoundedText.visible(failure.toString(), MAX_ERROR);
		try {
			if (isRecorded) {
				this.tables.fail(attempt(), name, error);
			}
			else {
				this.tables.failNew(attempt(), name, error);
			}
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
		}
	}

	/** The key may be known only inside of the call. */
	private StepAttempt attempt() {
		return new StepAttempt(this.context.submission().key(), this.context.operation(),
				this.context.submission().fingerprint(), this.owner, this.node);
	}

	private void requireOwner(BooleanSupplier write) {
		if (!available(write::getAsBoolean)) {
			throw takenOver();
		}
	}

	private <T> T available(Supplier<T> access) {
		try {
			return access.get();
		}
		catch (StoreUnavailableException ex) {
			SubmissionRefusedException refused = refused(Refusal.STORE_UNAVAILABLE, ex.getMessage());
			refused.initCause(ex);
			throw refused;
		}
	}

	void requireClaim() {
		if (this.context.isClaimLost()) {
			throw takenOver();
		}
	}

	private SubmissionRefusedException takenOver() {
		return refused(Refusal.IN_PROGRESS, "another attempt has taken it over, or the reply to a statement was lost");
	}

	SubmissionRefusedException refused(Refusal refusal, @Nullable String reason) {
		warn("is refused: " + reason);
		return new SubmissionRefusedException(refusal, this.context.operation());
	}

	void warn(String what) {
		logger
			.warn("Operation '" + this.context.operation() + "' (key " + this.context.submission().key() + ") " + what);
	}

}
