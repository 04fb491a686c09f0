package io.idempotent.method.internal.call;

import java.io.Serial;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import io.idempotent.IdempotencyContext;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.method.internal.call.CallExecution.Invocation;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.submission.DecidedSubmission;
import io.idempotent.submission.Decision;
import io.idempotent.submission.Decision.RecoveredResult;
import io.idempotent.submission.EarlyClaims;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.SubmissionContext;
import io.idempotent.submission.SubmissionOutcome;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.idempotent.transaction.TransactionScope;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls under claims, for annotated methods and the template. Safe for use by
 * several threads.
 */
public final class CallExecutor {

	private static final Log logger = LogFactory.getLog(CallExecutor.class);

	private static final RecoveredResult NO_VALUE = new RecoveredResult(null);

	private final IdempotencyGate gate;

	private final CallOperations operations;

	private final CallKeys keys;

	private final PendingCalls pending = new PendingCalls();

	// Not static, so that applications in one JVM do not share it. Removed after calls.
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable Frame> innermost = new ThreadLocal<>();

	public CallExecutor(IdempotencyGate gate, String namespace, CallOperations operations) {
		this.gate = gate;
		this.operations = operations;
		this.keys = new CallKeys(namespace, operations.json());
	}

	public CallOperations operations() {
		return this.operations;
	}

	public Optional<IdempotencyContext> current() {
		Frame frame = this.innermost.get();
		return (frame != null) ? Optional.of(frame.call().decided().context()) : Optional.empty();
	}

	public Submission submission(CallOperation operation, @Nullable Object content) {
		return submission(operation, content, "a key that is not empty");
	}

	/** Refused if the content is empty. */
	public Submission submission(CallOperation operation, @Nullable Object content, String lookedFor) {
		Submission keyed = submissionOrNull(operation, content);
		if (keyed == null) {
			throw withoutKey(new KeyMissingException(operation.name(), lookedFor));
		}
		return keyed;
	}

	/** {@code null} if the content is empty, which is not reported. */
	public @Nullable Submission submissionOrNull(CallOperation operation, @Nullable Object content) {
		return this.keys.submission(operation.name(), content);
	}

	/** The submission of a caller who sent the key. */
	public Submission sent(CallOperation operation, List<String> caller, String key) {
		return CallKeys.submission(this.keys.sent(operation.name(), caller, key), key);
	}

	/** Reports a refusal for which there is no key, to be thrown. */
	public SubmissionRefusedException withoutKey(SubmissionRefusedException refused) {
		this.gate.refusedWithoutKey(refused, Entrance.METHOD);
		return refused;
	}

	/** The same submission, whose repeats must have this content in common with it. */
	public Submission comparing(Submission submission, @Nullable Object content) {
		return submission.with(this.keys.fingerprint(submission.key(), content));
	}

	/**
	 * Runs a call, or returns the stored result. A call within a call of the same
	 * operation and key, on the same thread, belongs to the outer call, and is refused if
	 * its content differs.
	 */
	public <X extends Throwable> @Nullable Object run(CallOperation operation, Submission submission,
			Supplier<@Nullable RecoveredResult> recovery, ThrowingFunction<Invocation, @Nullable Object, X> action)
			throws X {
		return run(operation, submission, null, recovery, action);
	}

	/** Runs a call that may have been claimed early. */
	public <X extends Throwable> @Nullable Object run(CallOperation operation, Submission submission,
			@Nullable EarlyClaims early, Supplier<@Nullable RecoveredResult> recovery,
			ThrowingFunction<Invocation, @Nullable Object, X> action) throws X {
		CallExecution outer = outerCall(submission.key());
		if (outer != null && outer.isOf(submission.fingerprint())) {
			return action.apply(new Invocation(outer, null));
		}
		CallExecution call = enter(operation, submission, early, outer);
		return call.mayRun() ? run(call, recovery, action) : answer(call);
	}

	/**
	 * A repeat in the transaction of the first call is not refused as "in progress",
	 * although the first call is recorded only after the commit.
	 */
	public CallExecution enter(CallOperation operation, Submission submission) {
		return enter(operation, submission, null, null);
	}

	private CallExecution enter(CallOperation operation, Submission submission, @Nullable EarlyClaims early,
			@Nullable CallExecution outer) {
		CallExecution earlier = (outer != null) ? outer : this.pending.find(submission.key());
		SubmissionContext context = new SubmissionContext(operation.policy());
		return new CallExecution(operation,
				(earlier != null)
						? this.gate.enterRepeat(context, submission, earlier.decided(),
								() -> earlier.decideRepeat(submission.fingerprint()))
						: this.gate.enterCall(context, submission, early));
	}

	/**
	 * Ends a call whose target was not observed, once the transactions that are open now
	 * have completed.
	 */
	public void end(CallExecution call) {
		this.pending.warnIfAfterCompletion(call);
		call.decided().within(TransactionScope.current());
		this.pending.endWhenCompleted(call);
	}

	/** What is not taken must be closed. */
	public EarlyClaims claimEarly(CallOperation operation, List<Submission> submissions) {
		return this.gate.claimEarly(operation.policy(), submissions);
	}

	/** Refused if the stored result cannot be read. */
	private @Nullable Object read(CallExecution call, Outcome.Stored stored) {
		CallOperation operation = call.operation();
		try {
			return operation.results().decode(stored.answer());
		}
		catch (RuntimeException ex) {
			logger.error("The stored result of operation '" + operation.name() + "' (key " + call.key()
					+ ") cannot be read: the call is refused", ex);
			throw call.decided().refuse(Refusal.RECORD_UNREADABLE);
		}
	}

	@SuppressWarnings("NullAway") // takes the result of the lambda for non-null
	private <X extends Throwable> @Nullable Object run(CallExecution call, Supplier<@Nullable RecoveredResult> recovery,
			ThrowingFunction<Invocation, @Nullable Object, X> action) throws X {
		Frame outer = this.innermost.get();
		this.innermost.set(new Frame(call, outer));
		DecidedSubmission decided = call.decided();
		try {
			Object result = decided.run((kept) -> rebuild(call, kept, recovery),
					() -> action.apply(new Invocation(call, this.pending)));
			call.returned(result);
			return result;
		}
		catch (Throwable ex) {
			decided.context().observeThrown(ex);
			throw ex;
		}
		finally {
			restore(outer);
			this.pending.endWhenCompleted(call);
		}
	}

	private @Nullable RecoveredResult rebuild(CallExecution call, Outcome.@Nullable Stored kept,
			Supplier<@Nullable RecoveredResult> recovery) {
		CallOperation operation = call.operation();
		if (operation.acknowledges()) {
			return NO_VALUE;
		}
		if (operation.policy().whenCompleted() != WhenCompleted.REPLAY) {
			return null;
		}
		if (!operation.results().hasResults()) {
			return NO_VALUE;
		}
		return (kept != null) ? new RecoveredResult(read(call, kept)) : recovery.get();
	}

	private @Nullable Object answer(CallExecution call) {
		try {
			return this.<@Nullable Object>answer(call, (result) -> result,
					(reason) -> answerRefused(call.operation(), reason, call.decided()));
		}
		catch (SubmissionRefusedException ex) {
			if (call.decided().decision() instanceof Decision.Replay && call.operation().acknowledges()) {
				return null;
			}
			throw ex;
		}
	}

	/** The answer of a call that does not run. */
	public <T extends @Nullable Object> T answer(CallExecution call, Function<@Nullable Object, T> replayed,
			Function<Refusal, T> refused) {
		DecidedSubmission decided = call.decided();
		try {
			return (decided.decision() instanceof Decision.Refused refusal) ? refused.apply(refusal.reason())
					: replayed.apply(read(call, ((Decision.Replay) decided.decision()).answer()));
		}
		catch (SubmissionRefusedException ex) {
			decided.context().observeThrown(ex);
			throw ex;
		}
		finally {
			decided.context().endObservation();
		}
	}

	private static @Nullable Object answerRefused(CallOperation operation, Refusal reason, DecidedSubmission decided) {
		boolean isVoid = reason == Refusal.RESPONSE_UNAVAILABLE && !operation.results().hasResults();
		if (isDone(reason) && (operation.acknowledges() || isVoid)) {
			decided.context().endsAs(SubmissionOutcome.REPLAYED);
			return null;
		}
		throw decided.refuse(reason);
	}

	public static boolean isDone(Refusal reason) {
		return reason == Refusal.DUPLICATE || reason == Refusal.RESPONSE_UNAVAILABLE;
	}

	private @Nullable CallExecution outerCall(OperationKey key) {
		for (Frame frame = this.innermost.get(); frame != null; frame = frame.outer()) {
			if (frame.call().key().equals(key)) {
				return frame.call();
			}
		}
		return null;
	}

	private void restore(@Nullable Frame outer) {
		if (outer != null) {
			this.innermost.set(outer);
		}
		else {
			this.innermost.remove();
		}
	}

	private static final class KeyMissingException extends SubmissionRefusedException {

		@Serial
		private static final long serialVersionUID = 1L;

		private final String lookedFor;

		KeyMissingException(String operation, String lookedFor) {
			super(Refusal.KEY_MISSING, operation);
			this.lookedFor = lookedFor;
		}

		@Override
		public String getMessage() {
			return super.getMessage() + ". Looked for " + this.lookedFor;
		}

	}

	private record Frame(CallExecution call, @Nullable Frame outer) {
	}

}
