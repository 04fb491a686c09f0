package io.idempotent.store;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a completed operation.
 */
public sealed interface Outcome {

	/** The outcome of an operation that took effect but cannot be replayed. */
	Outcome TOMBSTONE = new Tombstone();

	/**
	 * An outcome that can be replayed.
	 * @param answer the answer, in the format of the caller; not copied
	 */
	static Outcome stored(byte[] answer) {
		return new Stored(answer);
	}

	/**
	 * An outcome that can be replayed.
	 *
	 * @param answer the answer, in the format of the caller; never modified
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record Stored(byte[] answer) implements Outcome {

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Stored that && Arrays.equals(this.answer, that.answer);
		}

		@Override
		public int hashCode() {
			return Arrays.hashCode(this.answer);
		}

		@Override
		public String toString() {
			return "Stored[" + this.answer.length + " bytes]";
		}

	}

	/**
	 * The operation took effect, but its answer cannot be replayed.
	 */
	record Tombstone() implements Outcome {
	}

}
