package io.idempotent.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Converts JSON to a canonical form for digests, in which the order of members, escapes
 * and insignificant white space do not matter. Numbers are kept as written, so that
 * {@code 1} and {@code 1.0} differ, or converted too. No digit is lost. Time and memory
 * grow with the length of the text, whatever its shape.
 */
public final class JsonCanonicalizer {

	private static final int MAX_DEPTH = 500;

	private final JsonFactory factory;

	private final UnaryOperator<String> numbers;

	/** For content of the application: of any length. */
	public JsonCanonicalizer() {
		this(Long.MAX_VALUE, false);
	}

	/** For content from outside: bounds the number of values, names and brackets. */
	public JsonCanonicalizer(long maxTokens, boolean byValue) {
		this.numbers = byValue ? JsonNumber::canonical : UnaryOperator.identity();
		// The cost is linear in the length of texts and numbers. Names are not interned
		// across texts, since hostile ones would stay in memory.
		this.factory = JsonFactory.builder()
			.disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
			.streamReadConstraints(StreamReadConstraints.builder()
				.maxNestingDepth(MAX_DEPTH)
				.maxTokenCount(maxTokens)
				.maxNameLength(Integer.MAX_VALUE)
				.maxNumberLength(Integer.MAX_VALUE)
				.maxStringLength(Integer.MAX_VALUE)
				.build())
			.build();
	}

	/** With all members, as {@link #canonicalize(byte[], Predicate)}. */
	public @Nullable String canonicalize(byte[] json) {
		return canonicalize(json, (name) -> true);
	}

	/**
	 * {@code null} if the text is not exactly one JSON value in UTF-8.
	 * @param counts which members of the outermost object count, by their names
	 * @throws StreamConstraintsException if it is nested too deeply or has too many
	 * values
	 */
	public @Nullable String canonicalize(byte[] json, Predicate<String> counts) {
		try (JsonParser parser = parser(json)) {
			if (parser.nextToken() == null) {
				return null;
			}
			Node root = read(parser, counts);
			if (parser.nextToken() != null) {
				return null;
			}
			StringBuilder out = new StringBuilder(json.length + 64);
			root.writeTo(out);
			return out.toString();
		}
		catch (StreamConstraintsException ex) {
			throw ex;
		}
		catch (JacksonException | CharacterCodingException ex) {
			return null;
		}
	}

	/**
	 * Decodes first: from bytes without a cache of names, Jackson accepts malformed ones.
	 */
	private JsonParser parser(byte[] json) throws CharacterCodingException {
		CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json));
		return this.factory.createParser(ObjectReadContext.empty(), text.array(), text.arrayOffset(), text.length());
	}

	private Node read(JsonParser parser, Predicate<String> counts) {
		JsonToken token = parser.currentToken();
		if (token == JsonToken.START_OBJECT) {
			return object(parser, counts);
		}
		if (token == JsonToken.START_ARRAY) {
			return array(parser);
		}
		if (token != null && token.isNumeric()) {
			return leaf('v', this.numbers.apply(parser.getString()));
		}
		if (token == JsonToken.VALUE_STRING) {
			return leaf('s',
					new String(parser.getStringCharacters(), parser.getStringOffset(), parser.getStringLength()));
		}
		return leaf('v', parser.getString());
	}

	private static Node leaf(char kind, String text) {
		return (out) -> append(kind, text, out);
	}

	private Node array(JsonParser parser) {
		List<Node> elements = new ArrayList<>();
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			elements.add(read(parser, (name) -> true));
		}
		return (out) -> {
			out.append('[');
			elements.forEach((element) -> element.writeTo(out));
			out.append(']');
		};
	}

	private Node object(JsonParser parser, Predicate<String> counts) {
		List<Member> members = new ArrayList<>();
		while (parser.nextToken() != JsonToken.END_OBJECT) {
			String name = parser.currentName();
			parser.nextToken();
			if (counts.test(name)) {
				members.add(new Member(name, read(parser, (inner) -> true)));
			}
			else {
				parser.skipChildren();
			}
		}
		// A stable sort: the order of members with the same name still matters.
		members.sort(Comparator.comparing(Member::name));
		return (out) -> {
			out.append('{');
			members.forEach((member) -> {
				append('m', member.name(), out);
				member.value().writeTo(out);
			});
			out.append('}');
		};
	}

	private static void append(char kind, String text, StringBuilder out) {
		out.append(kind).append(text.length()).append(':').append(text);
	}

	private interface Node {

		void writeTo(StringBuilder out);

	}

	private record Member(String name, Node value) {
	}

}
