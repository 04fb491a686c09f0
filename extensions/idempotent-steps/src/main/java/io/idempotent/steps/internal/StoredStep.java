package io.idempotent.steps.internal;

import java.util.Objects;

import io.idempotent.audit.BoundedText;
import io.idempotent.method.json.ResultCodec;
import io.idempotent.steps.OperationSteps;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * A step that an attempt has begun.
 *
 * @param result as it is stored; {@code null} unless it is known that the step took
 * effect; empty if its result could not be stored. While the step is only started, an
 * operator has confirmed it, and may do so again.
 */
@SuppressWarnings("ArrayRecordComponent")
record StoredStep(String name, State state, byte @Nullable [] result) {

	private static final byte[] NOT_STORED = {};

	static StoredStep of(String name, State state) {
		return new StoredStep(name, state, null);
	}

	static StoredStep withoutResult(String name) {
		return new StoredStep(name, State.STARTED, NOT_STORED);
	}

	boolean tookEffect() {
		return this.result != null;
	}

	boolean hasResult() {
		return this.result != null && this.result.length > 0;
	}

	static boolean isName(String name) {
		return StringUtils.hasText(name) && name.length() <= OperationSteps.MAX_NAME
				&& name.codePoints().noneMatch(BoundedText::isUnprintable);
	}

	/** The purpose of a result, for its encryption. */
	static String purpose(String name) {
		return "result of step '" + name + "'";
	}

	byte[] requireResult() {
		return Objects.requireNonNull(this.result);
	}

	/** Throws a {@link RuntimeException} if it is not of the type. */
	@Nullable Object read(ResultCodec codec) {
		byte[] stored = requireResult();
		if (this.state == State.STARTED && codec.hasResults() && ResultCodec.json(stored).length == 0) {
			throw new IllegalArgumentException(
					"it was confirmed without one; confirm it with its result, or with null");
		}
		return codec.decode(stored);
	}

	enum State {

		/** The call of an external step may have taken effect. */
		STARTED,

		/** The transaction of a step was rolled back. */
		FAILED,

		DONE

	}

}
