package io.idempotent.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import tools.jackson.core.exc.StreamConstraintsException;

/**
 * Reads one JSON value in UTF-8, as strictly as RFC 8259. What needs no decoding is not
 * decoded: a text without escapes is the bytes that were read. Throws
 * {@link IllegalArgumentException} for anything else.
 */
final class JsonReader {

	static final Predicate<String> ALL = (name) -> true;

	private static final int MAX_DEPTH = 500;

	private final byte[] json;

	private final boolean byValue;

	private long tokensLeft;

	private int at;

	/** Whether texts and names are ASCII. */
	private boolean ascii = true;

	JsonReader(byte[] json, long maxTokens, boolean byValue) {
		this.json = json;
		this.tokensLeft = maxTokens;
		this.byValue = byValue;
	}

	/** {@code counts} decides on the members of the outermost object. */
	JsonNode read(Predicate<String> counts) throws CharacterCodingException {
		JsonNode root = value(1, counts);
		skipWhiteSpace();
		if (this.at < this.json.length) {
			throw malformed();
		}
		if (!this.ascii) {
			StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(this.json));
		}
		return root;
	}

	private JsonNode value(int depth, Predicate<String> counts) {
		skipWhiteSpace();
		return switch (peek()) {
			case '{' -> object(depth, counts);
			case '[' -> array(depth);
			case '"' -> text('s');
			case 't' -> word("true");
			case 'f' -> word("false");
			case 'n' -> word("null");
			default -> number();
		};
	}

	private JsonNode object(int depth, Predicate<String> counts) {
		bracket('{', depth);
		List<JsonNode> members = new ArrayList<>();
		if (!isNext('}')) {
			do {
				skipWhiteSpace();
				JsonNode name = text('m');
				require(':');
				JsonNode value = value(depth + 1, ALL);
				if (counts == ALL || counts.test(name.text())) {
					members.add(name.member(value));
				}
			}
			while (takeNext(','));
		}
		bracket('}', depth);
		// A stable sort: the order of members with the same name still matters.
		members.sort(null);
		return JsonNode.composite('{', members);
	}

	private JsonNode array(int depth) {
		bracket('[', depth);
		List<JsonNode> elements = new ArrayList<>();
		if (!isNext(']')) {
			do {
				elements.add(value(depth + 1, ALL));
			}
			while (takeNext(','));
		}
		bracket(']', depth);
		return JsonNode.composite('[', elements);
	}

	private void bracket(char expected, int depth) {
		if (depth > MAX_DEPTH) {
			throw new StreamConstraintsException("JSON is nested more than " + MAX_DEPTH + " levels deep");
		}
		count();
		require(expected);
	}

	private void count() {
		this.tokensLeft--;
		if (this.tokensLeft < 0) {
			throw new StreamConstraintsException("JSON has too many values, names and brackets");
		}
	}

	private JsonNode text(char kind) {
		count();
		require('"');
		int start = this.at;
		for (int i = start; i < this.json.length; i++) {
			byte next = this.json[i];
			if (next == '"') {
				this.at = i + 1;
				return JsonNode.leaf(kind, this.json, start, i);
			}
			if (next == '\\') {
				return textWithEscapes(kind);
			}
			check(next);
		}
		throw malformed();
	}

	private JsonNode textWithEscapes(char kind) {
		StringBuilder text = new StringBuilder();
		int start = this.at;
		while (true) {
			byte next = take();
			if (next == '"' || next == '\\') {
				text.append(new String(this.json, start, this.at - 1 - start, StandardCharsets.UTF_8));
				if (next == '"') {
					return JsonNode.leaf(kind, text.toString());
				}
				text.append(escaped());
				start = this.at;
			}
			check(next);
		}
	}

	/** Bytes beyond ASCII are negative. */
	private void check(byte ofText) {
		if (ofText < 0) {
			this.ascii = false;
		}
		else if (ofText < ' ') {
			throw malformed();
		}
	}

	private char escaped() {
		byte next = take();
		return switch (next) {
			case '"', '\\', '/' -> (char) next;
			case 'b' -> '\b';
			case 'f' -> '\f';
			case 'n' -> '\n';
			case 'r' -> '\r';
			case 't' -> '\t';
			case 'u' -> (char) (hexDigit() << 12 | hexDigit() << 8 | hexDigit() << 4 | hexDigit());
			default -> throw malformed();
		};
	}

	private int hexDigit() {
		int digit = Character.digit((char) take(), 16);
		if (digit < 0) {
			throw malformed();
		}
		return digit;
	}

	private JsonNode word(String word) {
		count();
		int start = this.at;
		for (int i = 0; i < word.length(); i++) {
			if (take() != word.charAt(i)) {
				throw malformed();
			}
		}
		return JsonNode.leaf('v', this.json, start, this.at);
	}

	private JsonNode number() {
		count();
		int start = this.at;
		takeIf('-');
		if (!takeIf('0')) {
			digits();
		}
		if (takeIf('.')) {
			digits();
		}
		if (takeIf('e') || takeIf('E')) {
			if (!takeIf('+')) {
				takeIf('-');
			}
			digits();
		}
		JsonNode number = JsonNode.leaf('v', this.json, start, this.at);
		return this.byValue ? JsonNode.leaf('v', JsonNumber.canonical(number.text())) : number;
	}

	private void digits() {
		int start = this.at;
		while (peek() >= '0' && peek() <= '9') {
			this.at++;
		}
		if (this.at == start) {
			throw malformed();
		}
	}

	private void require(char expected) {
		if (!takeNext(expected)) {
			throw malformed();
		}
	}

	private boolean takeNext(char expected) {
		skipWhiteSpace();
		return takeIf(expected);
	}

	private boolean isNext(char expected) {
		skipWhiteSpace();
		return peek() == expected;
	}

	private void skipWhiteSpace() {
		while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') {
			this.at++;
		}
	}

	private boolean takeIf(char expected) {
		boolean found = peek() == expected;
		if (found) {
			this.at++;
		}
		return found;
	}

	private byte take() {
		if (this.at == this.json.length) {
			throw malformed();
		}
		return this.json[this.at++];
	}

	/** Negative at the end. */
	private int peek() {
		return (this.at < this.json.length) ? this.json[this.at] : -1;
	}

	private IllegalArgumentException malformed() {
		return new IllegalArgumentException("Malformed JSON at byte " + this.at);
	}

}
