package io.idempotent.webmvc.internal.operation;

import java.lang.reflect.Method;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.engine.RecoveredResult;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.policy.ComparedFields;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.method.ResultRecovery;
import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;

/**
 * An idempotent handler method.
 *
 * @param method the method
 * @param annotation its annotation, or that of its class
 * @param policy its policy
 * @param source where its key comes from
 * @param expression the key expression, or {@code null}
 * @param condition whether a call is protected, or {@code null} for always
 * @param fields which fields of a request are compared
 * @param replayErrors which errors are recorded and replayed
 * @param guarded whether method security decides before it is called
 * @param recoverer recovers a result that was not stored, or {@code null}
 */
public record Operation(Method method, ApiIdempotent annotation, OperationPolicy policy, KeySource source,
		@Nullable KeyExpression expression, @Nullable KeyExpression condition, ComparedFields fields,
		ErrorStatuses replayErrors, boolean guarded, @Nullable ResultRecovery recoverer) {

	public String name() {
		return this.policy.operation();
	}

	/**
	 * Whether the claim must wait for the call itself, because the key or the condition
	 * needs the arguments, or because method security decides first.
	 * @return whether the method interceptor claims, instead of the handler interceptor
	 */
	public boolean claimsInCall() {
		return this.guarded || this.expression != null || this.condition != null;
	}

	/**
	 * Recovers the result of a completed operation from the application.
	 * @param submission the duplicate
	 * @param arguments the arguments of its call
	 * @return the result, or {@code null} if it cannot be recovered
	 */
	public @Nullable RecoveredResult recover(Submission submission, @Nullable Object[] arguments) {
		return (this.recoverer != null && this.policy.whenCompleted() == WhenCompleted.REPLAY)
				? this.recoverer.recover(submission.key(), submission.keyValue(), arguments) : null;
	}

}
