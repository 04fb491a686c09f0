package io.idempotent.benchmarks.memory;

import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A kind of record with an answer of a size.
 *
 * @param kind the kind
 * @param answer the size, where there is an answer
 */
public record Form(Kind kind, int answer) {

	static Stream<Form> all() {
		return Stream.concat(Stream.of(Kind.ISSUED, Kind.IN_PROGRESS, Kind.TOMBSTONE).map((kind) -> new Form(kind, 0)),
				answers().mapToObj((size) -> new Form(Kind.COMPLETED, size)));
	}

	static IntStream answers() {
		return IntStream.of(0, 500, 10_000);
	}

	String title() {
		return (this.kind == Kind.COMPLETED) ? this.kind.title() + ", " + bytes(this.answer) : this.kind.title();
	}

	static String bytes(int size) {
		return String.format(Locale.ROOT, "answer of %,d bytes", size);
	}

}
