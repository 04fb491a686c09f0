package io.idempotent.webmvc;

import java.lang.reflect.Method;

import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.engine.ComparedFields;
import io.idempotent.engine.OperationPolicy;
import io.idempotent.engine.Submission;
import io.idempotent.method.RecoveredResult;
import io.idempotent.method.ResultRecovery;
import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;

/**
 * A handler method that takes effect once.
 *
 * @param method the method
 * @param policy how it is treated
 * @param source where its key comes from
 * @param expression the key expression, or {@code null}
 * @param fields which fields of a request are compared
 * @param replayErrors which errors are recorded and replayed
 * @param guarded whether method security stands in front of it
 * @param recoverer rebuilds an answer that was not kept, or {@code null}
 */
record Operation(Method method, OperationPolicy policy, KeySource source, @Nullable KeyExpression expression,
		ComparedFields fields, ErrorStatuses replayErrors, boolean guarded, @Nullable ResultRecovery recoverer) {

	String name() {
		return this.policy.operation();
	}

	/**
	 * Whether the claim must wait for the call itself: the key needs the arguments, or
	 * method security has to say yes first.
	 * @return whether the advisor claims, not the interceptor
	 */
	boolean claimsInCall() {
		return this.guarded || this.expression != null;
	}

	/**
	 * Recovers the result of a completed operation from the application.
	 * @param submission the duplicate
	 * @param arguments the arguments of its call
	 * @return the result, or {@code null} if it cannot be recovered
	 */
	@Nullable RecoveredResult recover(Submission submission, @Nullable Object[] arguments) {
		return (this.recoverer != null && this.policy.whenCompleted() == WhenCompleted.REPLAY)
				? this.recoverer.recover(submission.key(), submission.keyValue(), arguments) : null;
	}

}
