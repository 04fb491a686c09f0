package io.idempotent.method;

import java.util.Optional;
import java.util.function.Supplier;

import io.idempotent.IdempotencyContext;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.engine.Decision;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.Submission;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls under claims: behind annotated methods and the template stands this one
 * class. Safe for use by several threads.
 */
public final class CallExecutor {

	private static final Log logger = LogFactory.getLog(CallExecutor.class);

	private static final RecoveredResult NOTHING = new RecoveredResult(null);

	private final IdempotencyGate gate;

	private final String namespace;

	private final CallCompletion ends;

	private final CallKeys keys;

	// Not static: two applications in one JVM share nothing. Removed after each call.
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable Frame> innermost = new ThreadLocal<>();

	/**
	 * Creates the calls.
	 * @param gate the state machine
	 * @param namespace the application
	 * @param ends when the end of a call is recorded
	 * @param json JSON, or {@code null} if there is none
	 */
	public CallExecutor(IdempotencyGate gate, String namespace, CallCompletion ends, @Nullable CallJson json) {
		this.gate = gate;
		this.namespace = namespace;
		this.ends = ends;
		this.keys = new CallKeys(json);
	}

	/**
	 * The operation that runs on this thread, the innermost if there are several.
	 * @return its context
	 */
	Optional<IdempotencyContext> current() {
		Frame frame = this.innermost.get();
		return (frame != null) ? Optional.of(frame.call().context()) : Optional.empty();
	}

	/**
	 * Names a call.
	 * @param operation the operation
	 * @param content what tells this call from others
	 * @return the submission
	 * @throws SubmissionRefusedException if the content is nothing
	 */
	Submission submission(CallOperation operation, @Nullable Object content) {
		CallKey key = this.keys.of(content);
		if (key == null) {
			this.gate.refusedUnnamed(operation.name(), Refusal.KEY_MISSING);
			throw new SubmissionRefusedException(Refusal.KEY_MISSING, operation.name());
		}
		return key.submission(this.namespace, operation.name());
	}

	/**
	 * Runs a call, or answers it. A call that is made from within a run of the same
	 * operation and key, on the same thread, belongs to that run.
	 * @param <X> the type of exception it throws
	 * @param operation the operation
	 * @param submission the call
	 * @param recovery gives a result that was not kept, or {@code null}
	 * @param action what it runs
	 * @return its result, or the stored one
	 * @throws X what the action throws
	 * @throws SubmissionRefusedException if it is neither run nor answered
	 */
	<X extends Throwable> @Nullable Object run(CallOperation operation, Submission submission,
			Supplier<@Nullable RecoveredResult> recovery, ThrowingFunction<CallBody, @Nullable Object, X> action)
			throws X {
		CallExecution around = around(submission.key());
		if (around != null) {
			return action.apply(CallBody.within(around.context()));
		}
		CallExecution pending = this.ends.pending(submission.key());
		Decision decision = decide(operation, submission, pending);
		CallExecution call = open(operation, submission, decision);
		if (call == null) {
			return answer(operation, submission, decision);
		}
		if (pending != null) {
			// Unless its body begins, it ends when that call would have ended.
			call.within(pending.scope());
		}
		return run(operationRun(operation, submission, recovery), call, action);
	}

	/**
	 * The end of the call records what is proven, once its transactions have completed.
	 */
	private OperationExecution operationRun(CallOperation operation, Submission submission,
			Supplier<@Nullable RecoveredResult> recovery) {
		return new OperationExecution(this.gate, operation.policy(), submission.key(),
				() -> rebuild(operation, submission, recovery), (claim) -> {
				});
	}

	/**
	 * Decides on a call. A call that was made in the current transaction already, but is
	 * not recorded before the commit, is not told "in progress" because of itself.
	 * @param operation the operation
	 * @param submission the call
	 * @return the decision
	 */
	Decision decide(CallOperation operation, Submission submission) {
		return decide(operation, submission, this.ends.pending(submission.key()));
	}

	private Decision decide(CallOperation operation, Submission submission, @Nullable CallExecution pending) {
		return (pending != null) ? pending.again() : this.gate.enter(operation.policy(), submission);
	}

	/**
	 * Opens a call that may run.
	 * @param operation the operation
	 * @param submission the call
	 * @param decision the decision
	 * @return the call, which must be {@link #end ended}, or {@code null} if it may not
	 * run
	 */
	@Nullable CallExecution open(CallOperation operation, Submission submission, Decision decision) {
		if (decision instanceof Decision.Refused || decision instanceof Decision.Replay) {
			return null;
		}
		return new CallExecution(operation, submission, new SubmissionContext(operation.name(), this.gate), decision);
	}

	/**
	 * Ends a call of which nobody saw the body, when the transactions have completed that
	 * are open now.
	 * @param call the call
	 */
	void end(CallExecution call) {
		this.ends.begins(call);
		this.ends.end(call);
	}

	/**
	 * Reads a stored result.
	 * @param operation the operation
	 * @param submission the call
	 * @param stored what was stored
	 * @return the result
	 * @throws SubmissionRefusedException if it cannot be read
	 */
	@Nullable Object read(CallOperation operation, Submission submission, Outcome.Stored stored) {
		try {
			return operation.results().decode(stored.answer());
		}
		catch (RuntimeException ex) {
			logger.error("The stored result of operation '" + operation.name() + "' (key " + submission.key()
					+ ") cannot be read: the call is refused", ex);
			throw new SubmissionRefusedException(Refusal.RECORD_UNREADABLE, operation.name());
		}
	}

	/**
	 * Runs the action under its claim.
	 */
	// NullAway does not see that the type of the result is a nullable one.
	@SuppressWarnings("NullAway")
	private <X extends Throwable> @Nullable Object run(OperationExecution run, CallExecution call,
			ThrowingFunction<CallBody, @Nullable Object, X> action) throws X {
		Frame outer = this.innermost.get();
		this.innermost.set(new Frame(call, outer));
		try {
			CallBody body = call.body(this.ends, this.gate);
			Object result = run.execute(call.decision(), () -> action.apply(body));
			call.returned(result);
			return result;
		}
		finally {
			restore(outer);
			this.ends.end(call);
		}
	}

	private @Nullable RecoveredResult rebuild(CallOperation operation, Submission submission,
			Supplier<@Nullable RecoveredResult> recovery) {
		if (operation.acknowledges()) {
			return NOTHING;
		}
		if (operation.policy().whenCompleted() != WhenCompleted.REPLAY) {
			return null;
		}
		if (!operation.results().hasResults()) {
			return NOTHING;
		}
		Outcome.Stored kept = this.gate.outcomeOf(operation.policy(), submission.key()).orElse(null);
		return (kept != null) ? new RecoveredResult(read(operation, submission, kept)) : recovery.get();
	}

	private @Nullable Object answer(CallOperation operation, Submission submission, Decision decision) {
		if (decision instanceof Decision.Refused refused) {
			if (isDone(refused.reason()) && (operation.acknowledges() || isAnsweredByNothing(operation, refused))) {
				return null;
			}
			throw new SubmissionRefusedException(refused.reason(), operation.name());
		}
		try {
			return read(operation, submission, ((Decision.Replay) decision).answer());
		}
		catch (SubmissionRefusedException ex) {
			if (operation.acknowledges()) {
				return null;
			}
			throw ex;
		}
	}

	static boolean isDone(Refusal reason) {
		return reason == Refusal.DUPLICATE || reason == Refusal.RESPONSE_UNAVAILABLE;
	}

	private static boolean isAnsweredByNothing(CallOperation operation, Decision.Refused refused) {
		return refused.reason() == Refusal.RESPONSE_UNAVAILABLE && !operation.results().hasResults();
	}

	private @Nullable CallExecution around(OperationKey key) {
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

	/**
	 * A call that runs on this thread.
	 *
	 * @param call the call
	 * @param outer the one around it
	 */
	private record Frame(CallExecution call, @Nullable Frame outer) {
	}

}
