package io.idempotent.conformance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Reads and writes JSON texts: objects as maps in the order of their members, arrays as
 * lists, everything else as {@link Literal}s or strings. A kit that is one jar needs no
 * library for that.
 */
final class Json {

	private final String text;

	private int at;

	private Json(String text) {
		this.text = text;
	}

	/**
	 * Reads a text.
	 * @param text the text
	 * @return the value, or {@code null} if the text is not JSON
	 */
	static @Nullable Object read(String text) {
		try {
			Json json = new Json(text.strip());
			Object value = json.value();
			return (json.at == json.text.length()) ? value : null;
		}
		catch (IndexOutOfBoundsException | IllegalArgumentException ex) {
			return null;
		}
	}

	/**
	 * Reads an object.
	 * @param text the text
	 * @return the members in their order; none if the text is not an object
	 */
	@SuppressWarnings("unchecked")
	static Map<String, Object> object(String text) {
		return (read(text) instanceof Map<?, ?> map) ? (Map<String, Object>) map : Map.of();
	}

	static String write(Object value) {
		if (value instanceof Map<?, ?> map) {
			return map.entrySet()
				.stream()
				.map((member) -> quote((String) member.getKey()) + ":" + write(member.getValue()))
				.collect(Collectors.joining(",", "{", "}"));
		}
		if (value instanceof List<?> list) {
			return list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
		}
		return (value instanceof String string) ? quote(string) : value.toString();
	}

	static String quote(String text) {
		StringBuilder out = new StringBuilder("\"");
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c == '"' || c == '\\') {
				out.append('\\').append(c);
			}
			else if (c < ' ' || c > '~') {
				out.append(String.format("\\u%04x", (int) c));
			}
			else {
				out.append(c);
			}
		}
		return out.append('"').toString();
	}

	private Object value() {
		space();
		char c = this.text.charAt(this.at);
		Object value = (c == '{') ? members() : (c == '[') ? elements() : (c == '"') ? string() : literal();
		space();
		return value;
	}

	private Map<String, Object> members() {
		Map<String, Object> members = new LinkedHashMap<>();
		this.at++;
		space();
		while (!skip('}')) {
			space();
			String name = string();
			space();
			require(':');
			members.put(name, value());
			separate('}');
		}
		return members;
	}

	private List<Object> elements() {
		List<Object> elements = new ArrayList<>();
		this.at++;
		space();
		while (!skip(']')) {
			elements.add(value());
			separate(']');
		}
		return elements;
	}

	private void separate(char end) {
		if (this.text.charAt(this.at) != end) {
			require(',');
		}
	}

	private String string() {
		require('"');
		StringBuilder out = new StringBuilder();
		while (!skip('"')) {
			char c = this.text.charAt(this.at++);
			out.append((c == '\\') ? escape(this.text.charAt(this.at++)) : c);
		}
		return out.toString();
	}

	private char escape(char c) {
		return switch (c) {
			case 'n' -> '\n';
			case 't' -> '\t';
			case 'r' -> '\r';
			case 'b' -> '\b';
			case 'f' -> '\f';
			case 'u' -> (char) Integer.parseInt(this.text.substring(this.at, this.at += 4), 16);
			default -> c;
		};
	}

	private Literal literal() {
		int start = this.at;
		while (this.at < this.text.length() && ",]} \t\r\n".indexOf(this.text.charAt(this.at)) < 0) {
			this.at++;
		}
		String literal = this.text.substring(start, this.at);
		if (!literal.matches("true|false|null|-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
			throw new IllegalArgumentException(literal);
		}
		return new Literal(literal);
	}

	private void space() {
		while (this.at < this.text.length() && " \t\r\n".indexOf(this.text.charAt(this.at)) >= 0) {
			this.at++;
		}
	}

	private boolean skip(char c) {
		boolean found = this.text.charAt(this.at) == c;
		if (found) {
			this.at++;
		}
		return found;
	}

	private void require(char c) {
		if (!skip(c)) {
			throw new IllegalArgumentException("no " + c);
		}
	}

	/**
	 * A number, {@code true}, {@code false} or {@code null}, as it is written.
	 *
	 * @param text the text
	 */
	record Literal(String text) {

		boolean isInteger() {
			return this.text.matches("-?[0-9]+");
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

}
