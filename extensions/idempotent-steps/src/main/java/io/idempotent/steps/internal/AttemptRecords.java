package io.idempotent.steps.internal;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.audit.BoundedText;
import io.idempotent.steps.OperationSteps;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordEncryption;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import io.idempotent.submission.SubmissionContext;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What one attempt records of its steps. Each method is refused if another attempt has
 * taken the operation over, or if the server does not answer.
 */
record AttemptRecords(SubmissionContext context, Owner owner, StepSettings settings, StepTables tables,
		EndedOperations ended, ResumableMethods resumable) {

	private static final Log logger = LogFactory.getLog(OperationSteps.class);

	/** In code points, of which each may take two places. */
	private static final int MAX_ERROR = 250;

	/** The steps that earlier attempts have begun; those of this one may be added. */
	Map<String, StoredStep> takeOver() {
		this.context.leaveNoReceipt();
		byte @Nullable [] arguments = this.resumable.arguments(this.context);
		List<StoredStep> stored = available(() -> this.tables.takeOver(attempt(), arguments,
				(kept) -> this.resumable.areSame(this.context.operation(), kept, arguments)))
			.orElseThrow(() -> refused(Refusal.KEY_REUSED, "steps of this key have begun with another content"));
		return stored.stream().collect(Collectors.toConcurrentMap(StoredStep::name, Function.identity()));
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

	/** In the open transaction. */
	void commitWith(String name, byte[] result, boolean failed) {
		requireOwner(() -> this.tables.commitWith(attempt(), name, result, failed));
	}

	byte[] encrypt(String name, byte[] result) {
		return this.settings.encryption().encrypt(this.context.submission().key(), StoredStep.purpose(name), result);
	}

	/** Throws a {@link RuntimeException} if its result cannot be decrypted. */
	StoredStep decrypt(StoredStep step) {
		return new StoredStep(step.name(), step.state(), this.settings.encryption()
			.decrypt(this.context.submission().key(), StoredStep.purpose(step.name()), step.requireResult()));
	}

	/** For operators. Never throws. */
	void fail(StoredStep step, Throwable failure) {
		keep(failure, text(failure, this.settings.encryption()),
				(error) -> this.tables.fail(attempt(), step, error, false));
	}

	/** For an external step, which its observer may have ended before the call. */
	void failCall(String name, @Nullable StoredStep begun, Throwable failure) {
		if (begun != null) {
			fail(begun, failure);
		}
		else {
			withdraw(name, failure);
		}
	}

	/** For an external step without a result that a repeat could use. Never throws. */
	void keepEffect(StoredStep step, Throwable failure, @Nullable String reason) {
		keep(failure, BoundedText.visible("It took effect, and is not repeated: " + reason, MAX_ERROR),
				(error) -> this.tables.fail(attempt(), step, error, true));
	}

	/**
	 * For a transactional step that has left nothing, so that a repeat knows its name.
	 * Returns whether it is kept.
	 */
	boolean failNew(String name, Throwable failure) {
		return keep(failure, text(failure, this.settings.encryption()),
				(error) -> this.tables.failNew(attempt(), name, error));
	}

	private static boolean keep(Throwable failure, String text, Consumer<String> write) {
		try {
			write.accept(text);
			return true;
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
			return false;
		}
	}

	/** What an exception says may be part of a result or an argument. */
	@Nullable String message(RuntimeException failure) {
		boolean hidden = this.settings.encryption().isActive() && !(failure instanceof UnreadableRecordException);
		return hidden ? failure.getClass().getName() : failure.getMessage();
	}

	/** Never throws, whatever the exception says of itself. */
	static String text(Throwable failure, RecordEncryption encryption) {
		String name = failure.getClass().getName();
		if (encryption.isActive() && !(failure instanceof UnreadableRecordException)) {
			return name;
		}
		try {
			return BoundedText.visible(Objects.requireNonNullElse(failure.toString(), name), MAX_ERROR);
		}
		catch (RuntimeException ex) {
			return name;
		}
	}

	/** The key may be known only inside of the call. */
	private StepAttempt attempt() {
		return new StepAttempt(this.context.submission().key(), this.context.operation(),
				this.context.submission().fingerprint(), this.owner, this.settings.node());
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
		catch (UnreadableRecordException ex) {
			throw refused(Refusal.RECORD_UNREADABLE, ex.getMessage());
		}
	}

	void requireClaim() {
		Refusal reason = this.context.renewOrRefuse();
		if (reason != null) {
			throw refused(reason, "its lease has ended, and the store does not renew it");
		}
	}

	/** Asked again after the start was recorded, which is withdrawn if refused. */
	void requireClaim(String started) {
		try {
			requireClaim();
		}
		catch (SubmissionRefusedException ex) {
			withdraw(started, ex);
			throw ex;
		}
	}

	/** Forgets the start of a step that was not called. Never throws. */
	private void withdraw(String started, Throwable failure) {
		keep(failure, started, (name) -> this.tables.withdraw(attempt(), name));
	}

	private SubmissionRefusedException takenOver() {
		return refused(Refusal.IN_PROGRESS, "another attempt has taken it over, or the reply to a statement was lost");
	}

	/** For a reason that stays, so that operators see it. */
	SubmissionRefusedException refusedForGood(Refusal refusal, String reason) {
		SubmissionRefusedException refused = refused(refusal, reason);
		keep(refused, BoundedText.visible(reason, MAX_ERROR), (error) -> this.tables.note(attempt(), error));
		return refused;
	}

	private SubmissionRefusedException refused(Refusal refusal, @Nullable String reason) {
		warn("is refused: " + reason);
		return new SubmissionRefusedException(refusal, this.context.operation());
	}

	void warn(String what) {
		logger
			.warn("Operation '" + this.context.operation() + "' (key " + this.context.submission().key() + ") " + what);
	}

}
