package io.idempotent.method.internal.call;

import java.lang.reflect.Type;

import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;
import io.idempotent.method.json.CallJson;
import io.idempotent.method.json.ResultCodec;
import io.idempotent.submission.policy.DeclaredPolicy;
import io.idempotent.submission.policy.OperationPolicies;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.support.AsyncReturnTypes;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * Creates operations from names, declarations and types, and rejects invalid ones.
 *
 * @param maxResult in bytes
 * @param verifies whether there is an outcome verifier
 */
public record CallOperations(OperationPolicies policies, @Nullable CallJson json, int maxResult, boolean verifies) {

	public String resolve(String text) {
		return this.policies.resolve(text);
	}

	/** Throws, naming the value and the reason, if the operation cannot work. */
	public CallOperation operation(String name, DeclaredPolicy declared, Type result) {
		OperationPolicy policy = this.policies.policy(name, declared);
		if (policy.whenUnknown() == WhenUnknown.ASK && !this.verifies) {
			throw new IllegalArgumentException("it asks the application about unknown outcomes, but there is no "
					+ "OutcomeVerifier bean: define exactly one, or choose RERUN or REJECT");
		}
		Class<?> raw = ResolvableType.forType(result).resolve(Object.class);
		if (AsyncReturnTypes.isAsync(raw)) {
			throw new IllegalArgumentException("it returns a " + raw.getName()
					+ ", so that it would be recorded before the work is done: annotate the method that does the work");
		}
		return new CallOperation(policy, codec(policy, result, raw), declared.redelivered());
	}

	private ResultCodec codec(OperationPolicy policy, Type result, Class<?> raw) {
		if (raw == void.class || raw == Void.class || policy.whenCompleted() != WhenCompleted.REPLAY) {
			return ResultCodec.NOTHING;
		}
		if (this.json == null) {
			throw new IllegalArgumentException("it returns " + result.getTypeName() + ", which is stored as JSON, but "
					+ "there is no tools.jackson.core:jackson-databind on the class path: add it (it comes with "
					+ "spring-boot-starter-jackson, and its predecessor on Spring Boot 3.5 with "
					+ "spring-boot-starter-json), return nothing, or choose whenCompleted = REJECT");
		}
		try {
			return new ResultCodec(this.json.resultType(result), this.maxResult);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					ex.getMessage()
							+ ". Return a type of your own (a record) or nothing, or choose whenCompleted = REJECT",
					ex);
		}
	}

}
