package io.idempotent.json;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A JSON value in canonical form, or a member of an object, whose only part is its value.
 * Ordered by the bytes of names.
 *
 * @param kind tells texts, names and other values apart; the bracket of an object or
 * array
 * @param source has the bytes of a text, name or other value; none is copied
 */
@SuppressWarnings("ArrayRecordComponent")
record JsonNode(char kind, byte[] source, int from, int to, List<JsonNode> parts) implements Comparable<JsonNode> {

	private static final byte[] NO_BYTES = {};

	static JsonNode composite(char bracket, List<JsonNode> parts) {
		return new JsonNode(bracket, NO_BYTES, 0, 0, parts);
	}

	/** For an unpaired surrogate, which has no UTF-8, Java writes a question mark. */
	static JsonNode leaf(char kind, String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		boolean lossless = new String(bytes, StandardCharsets.UTF_8).equals(text);
		if (!lossless) {
			bytes = new byte[Character.BYTES * text.length()];
			ByteBuffer.wrap(bytes).asCharBuffer().put(text);
		}
		return leaf(lossless ? kind : Character.toUpperCase(kind), bytes, 0, bytes.length);
	}

	static JsonNode leaf(char kind, byte[] source, int from, int to) {
		return new JsonNode(kind, source, from, to, List.of());
	}

	JsonNode member(JsonNode value) {
		return new JsonNode(this.kind, this.source, this.from, this.to, List.of(value));
	}

	String text() {
		return new String(this.source, this.from, this.to - this.from, StandardCharsets.UTF_8);
	}

	/** The number of bytes that {@link #writeTo} writes. */
	int length() {
		int length = 1 + Integer.BYTES + this.to - this.from;
		for (JsonNode part : this.parts) {
			length += part.length();
		}
		return length;
	}

	/**
	 * The number of bytes or of parts comes first, so that the end of a value is known.
	 */
	void writeTo(ByteBuffer out) {
		int size = this.to - this.from;
		boolean composite = this.kind == '{' || this.kind == '[';
		out.put((byte) this.kind).putInt(composite ? this.parts.size() : size).put(this.source, this.from, size);
		for (JsonNode part : this.parts) {
			part.writeTo(out);
		}
	}

	@Override
	public int compareTo(JsonNode other) {
		return Arrays.compareUnsigned(this.source, this.from, this.to, other.source, other.from, other.to);
	}

}
