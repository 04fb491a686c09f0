package io.idempotent.webmvc;

import java.util.concurrent.Callable;

import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.engine.Decision;
import io.idempotent.engine.Submission;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.method.OperationExecution;
import io.idempotent.method.RecoveredResult;
import io.idempotent.method.ResultRecovery;
import org.jspecify.annotations.Nullable;

/**
 * A call of a handler method that was decided: it runs, also where it goes on in a
 * {@link Callable}, or its answer is rebuilt.
 *
 * @param operation the operation
 * @param entrance runs it
 * @param response the response
 */
record OperationCall(Operation operation, HttpSubmitter entrance, DeferredResponse response) {

	/**
	 * Runs the operation, or what takes its place.
	 * @param taken what was decided
	 * @param context what was submitted
	 * @param arguments the arguments of the call
	 * @param call the operation
	 * @return its result
	 * @throws Throwable what it throws
	 * @throws SubmissionRefusedException if it took effect in another attempt whose
	 * answer is not to be had
	 */
	// NullAway does not see that the type of the result is a nullable one.
	@SuppressWarnings("NullAway")
	@Nullable Object run(Decision taken, SubmissionContext context, @Nullable Object[] arguments,
			ThrowingSupplier<@Nullable Object, Throwable> call) throws Throwable {
		OperationExecution run = this.entrance.run(this.operation, context.submission().key(),
				() -> rebuild(context, arguments));
		return run.execute(taken, () -> {
			this.entrance.gate().begins(taken.effect());
			Object result = call.get();
			return (result instanceof Callable<?> later && ReturnTypes.isCallable(this.operation.method(), later))
					? inOperation(run, taken, later) : result;
		});
	}

	@SuppressWarnings("NullAway")
	private static Callable<@Nullable Object> inOperation(OperationExecution run, Decision taken, Callable<?> later) {
		return () -> {
			Object result = run.<Exception>resume(taken, later::call);
			// Rebuilt as the method would have returned it.
			return (result instanceof Callable<?> rebuilt) ? rebuilt.call() : result;
		};
	}

	private @Nullable RecoveredResult rebuild(SubmissionContext context, @Nullable Object[] arguments) {
		ResultRecovery recoverer = this.operation.recoverer();
		if (recoverer == null || this.operation.policy().whenCompleted() != WhenCompleted.REPLAY) {
			return null;
		}
		Submission submission = context.submission();
		RecoveredResult answer = recoverer.recover(submission.key(), submission.keyValue(), arguments);
		if (answer != null) {
			context.isRebuilt();
			this.response.setHeader(this.entrance.settings().replayedHeader(), "true");
		}
		return answer;
	}

}
