package io.idempotent.steps.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.method.json.CallJson;
import io.idempotent.method.json.ResultCodec;
import io.idempotent.store.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes the results of steps, as those of {@code @Idempotent} methods.
 */
final class StepResults {

	private final @Nullable CallJson json;

	private final int maxLength;

	private final Map<Class<?>, ResultCodec> codecs = new ConcurrentHashMap<>();

	/** {@code json} is {@code null} without Jackson; the length is in bytes. */
	StepResults(@Nullable CallJson json, int maxLength) {
		this.json = json;
		this.maxLength = maxLength;
	}

	/** Throws, naming type and reason, if results of the type cannot be stored. */
	ResultCodec of(Class<?> type) {
		return (type == Void.class) ? ResultCodec.NOTHING : this.codecs.computeIfAbsent(type, this::create);
	}

	private ResultCodec create(Class<?> type) {
		if (this.json == null) {
			throw new IllegalArgumentException("A result of " + type
					+ " cannot be stored without Jackson: add spring-boot-starter-jackson, or use a step without a "
					+ "result");
		}
		return new ResultCodec(this.json.resultType(type), this.maxLength);
	}

	/** Throws if the result cannot be stored: a repeat could not continue with it. */
	static byte[] encode(ResultCodec codec, @Nullable Object result, String step) {
		if (codec.encode(result, step) instanceof Outcome.Stored stored) {
			return stored.answer();
		}
		throw new IllegalArgumentException("The result of step '" + step
				+ "' cannot be stored, for the reason that was logged, so that no repeat could continue after it: "
				+ "return less, as an identifier, or raise idempotent.call.max-result");
	}

}
