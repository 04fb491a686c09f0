package io.idempotent.steps.internal;

import java.lang.reflect.Type;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.method.json.CallJson;
import io.idempotent.method.json.ResultCodec;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes the results of steps, as those of {@code @Idempotent} methods.
 */
final class StepResults {

	private final @Nullable CallJson json;

	private final int maxLength;

	private final Map<Type, ResultCodec> codecs = new ConcurrentHashMap<>();

	/** {@code json} is {@code null} without Jackson; the length is in bytes. */
	StepResults(@Nullable CallJson json, int maxLength) {
		this.json = json;
		this.maxLength = maxLength;
	}

	/** Throws, naming type and reason, if results of the type cannot be stored. */
	ResultCodec of(Type type) {
		return (type == Void.class) ? ResultCodec.NOTHING : this.codecs.computeIfAbsent(type, this::create);
	}

	private ResultCodec create(Type type) {
		if (this.json == null) {
			throw new IllegalArgumentException("A value of " + type
					+ " cannot be stored without Jackson: add spring-boot-starter-jackson, or use a step without a "
					+ "result");
		}
		return new ResultCodec(this.json.resultType(type), this.maxLength);
	}

	/** Throws if a result, or an argument, cannot be stored. */
	static byte[] encode(ResultCodec codec, @Nullable Object result, String what) {
		try {
			return codec.encode(result);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("The " + what + " cannot be stored, so that no repeat could continue "
					+ "with it: " + ex.getMessage() + ". Store less, such as an identifier", ex);
		}
	}

}
