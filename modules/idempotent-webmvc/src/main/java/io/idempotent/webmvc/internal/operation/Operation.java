package io.idempotent.webmvc.internal.operation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.method.ResultRecovery;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.Decision.RecoveredResult;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.policy.ComparedFields;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;

/**
 * An idempotent handler method. {@code secured}: method security decides before the call.
 * {@code recoverer} recovers results that were not stored.
 */
public record Operation(Method method, ApiIdempotent annotation, OperationPolicy policy, KeySource source,
		@Nullable KeyExpression expression, @Nullable KeyExpression condition, ComparedFields fields,
		ErrorStatuses replayErrors, boolean secured, @Nullable ResultRecovery recoverer) {

	public String name() {
		return this.policy.operation();
	}

	/** Whether key or condition need the arguments, or method security decides first. */
	public boolean claimsInCall() {
		return this.secured || this.expression != null || this.condition != null;
	}

	/** The key by an expression, whose value identifies the operation at any URL. */
	public OperationKey key(String namespace, List<String> caller, String value) {
		return key(namespace, value, scope(caller));
	}

	/**
	 * The key of a submission by header or whole content, which identify the operation
	 * together with method and path. Handler methods that share a path, such as those of
	 * API versions, share header keys: only the fingerprint contains the operation.
	 */
	public OperationKey keyAtPath(String namespace, List<String> caller, String method, List<String> path,
			String value) {
		List<String> scope = scope(caller);
		scope.add(method);
		scope.addAll(path);
		return key(namespace, value, scope);
	}

	private List<String> scope(List<String> caller) {
		List<String> scope = new ArrayList<>(8);
		scope.add((this.source == KeySource.HEADER) ? "header" : "content");
		scope.addAll(caller);
		return scope;
	}

	private OperationKey key(String namespace, String value, List<String> scope) {
		return OperationKey.of(namespace, (this.source == KeySource.HEADER) ? "" : name(), scope, value);
	}

	/** {@code null} if a result that was not stored cannot be recovered. */
	public @Nullable RecoveredResult recover(Submission submission, @Nullable Object[] arguments) {
		return (this.recoverer != null && this.policy.whenCompleted() == WhenCompleted.REPLAY)
				? this.recoverer.recover(submission.key(), submission.keyValue(), arguments) : null;
	}

}
