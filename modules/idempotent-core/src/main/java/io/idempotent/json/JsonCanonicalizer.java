package io.idempotent.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.exc.StreamConstraintsException;

/**
 * Converts JSON to a canonical form for digests, in which the order of members, escapes
 * and insignificant white space do not matter. Numbers are kept as written, so that
 * {@code 1} and {@code 1.0} differ, or converted too. No digit is lost. Time and memory
 * grow with the length of the text, whatever its shape.
 */
public final class JsonCanonicalizer {

	private final long maxTokens;

	private final boolean byValue;

	/** For content of the application: of any length. */
	public JsonCanonicalizer() {
		this(Long.MAX_VALUE, false);
	}

	/** For content from outside: bounds the number of values, names and brackets. */
	public JsonCanonicalizer(long maxTokens, boolean byValue) {
		this.maxTokens = maxTokens;
		this.byValue = byValue;
	}

	/** With all members, as {@link #canonicalize(byte[], Predicate)}. */
	public byte @Nullable [] canonicalize(byte[] json) {
		return canonicalize(json, JsonReader.ALL);
	}

	/**
	 * {@code null} if the text is not exactly one JSON value in UTF-8.
	 * @param counts which members of the outermost object count, by their names
	 * @throws StreamConstraintsException if it is nested too deeply or has too many
	 * values
	 */
	public byte @Nullable [] canonicalize(byte[] json, Predicate<String> counts) {
		try {
			JsonNode root = new JsonReader(json, this.maxTokens, this.byValue).read(counts);
			ByteBuffer out = ByteBuffer.allocate(root.length());
			root.writeTo(out);
			return out.array();
		}
		catch (IllegalArgumentException | CharacterCodingException ex) {
			return null;
		}
	}

}
