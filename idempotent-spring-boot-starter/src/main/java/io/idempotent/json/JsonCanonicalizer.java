package io.idempotent.json;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Brings a JSON text into a form in which the order of members and insignificant white
 * space do not matter. Numbers are kept as they are written: {@code 1} and {@code 1.0}
 * are two numbers, and no digit is lost. The form is for digests, not for reading.
 */
public final class JsonCanonicalizer {

	private final JsonFactory factory = JsonFactory.builder().build();

	/**
	 * Canonicalises a text.
	 * @param json the text, in a Unicode encoding
	 * @return the canonical form, or {@code null} if it is not one JSON value
	 */
	public @Nullable String canonicalize(byte[] json) {
		try (JsonParser parser = this.factory.createParser(ObjectReadContext.empty(), json)) {
			if (parser.nextToken() == null) {
				return null;
			}
			StringBuilder out = new StringBuilder(json.length);
			value(parser, out);
			return (parser.nextToken() == null) ? out.toString() : null;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private void value(JsonParser parser, StringBuilder out) {
		JsonToken token = parser.currentToken();
		if (token == JsonToken.START_OBJECT) {
			object(parser, out);
		}
		else if (token == JsonToken.START_ARRAY) {
			array(parser, out);
		}
		else {
			text((token == JsonToken.VALUE_STRING) ? 's' : 'v', parser.getString(), out);
		}
	}

	private void array(JsonParser parser, StringBuilder out) {
		out.append('[');
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			value(parser, out);
		}
		out.append(']');
	}

	private void object(JsonParser parser, StringBuilder out) {
		List<Member> members = new ArrayList<>();
		while (parser.nextToken() != JsonToken.END_OBJECT) {
			String name = parser.currentName();
			parser.nextToken();
			StringBuilder value = new StringBuilder();
			value(parser, value);
			members.add(new Member(name, value));
		}
		// Stable: of members with one name the order still matters.
		members.sort(Comparator.comparing(Member::name));
		out.append('{');
		for (Member member : members) {
			text('m', member.name(), out);
			out.append(member.value());
		}
		out.append('}');
	}

	private static void text(char kind, String text, StringBuilder out) {
		out.append(kind).append(text.length()).append(':').append(text);
	}

	private record Member(String name, StringBuilder value) {
	}

}
