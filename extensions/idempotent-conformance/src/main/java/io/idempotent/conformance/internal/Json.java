package io.idempotent.conformance.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Reads and writes JSON texts: objects as maps in the order of their members, arrays as
 * lists, everything else as {@link Literal}s or strings. A kit that is one jar needs no
 * library for that.
 */
public final class Json {

	private static final String SPACE = "[ \\t\\r\\n]*";

	private static final String STRING = "\"(?:[^\"\\\\]++|\\\\(?:[^u]|u\\p{XDigit}{4}))*+\"";

	private static final String LITERAL = "(?:true|false|null|-?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\\b";

	private static final Pattern TOKEN = Pattern
		.compile("\\G" + SPACE + "([\\[\\]{},:]|" + STRING + "|" + LITERAL + ")" + SPACE);

	private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(.{4})|(.))", Pattern.DOTALL);

	private final Matcher tokens;

	private Json(String text) {
		this.tokens = TOKEN.matcher(text);
	}

	/** The value, or {@code null} if the text is not JSON. */
	public static @Nullable Object read(String text) {
		Json json = new Json(text);
		try {
			Object value = json.value(json.next());
			return (json.tokens.end() == text.length()) ? value : null;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/** The members of an object; empty if the text is not one. */
	@SuppressWarnings("unchecked")
	public static Map<String, Object> object(String text) {
		return (read(text) instanceof Map<?, ?> map) ? (Map<String, Object>) map : Map.of();
	}

	public static String write(Object value) {
		return write(value, "");
	}

	/** The white space surrounds each comma and colon. */
	public static String write(Object value, String space) {
		String colon = space + ":" + space;
		String comma = space + "," + space;
		if (value instanceof Map<?, ?> map) {
			return map.entrySet()
				.stream()
				.map((member) -> quote((String) member.getKey()) + colon + write(member.getValue(), space))
				.collect(Collectors.joining(comma, "{", "}"));
		}
		if (value instanceof List<?> list) {
			return list.stream().map((element) -> write(element, space)).collect(Collectors.joining(comma, "[", "]"));
		}
		return (value instanceof String string) ? quote(string) : value.toString();
	}

	private static String quote(String text) {
		return text.chars().mapToObj((c) -> switch (c) {
			case '"', '\\' -> "\\" + (char) c;
			default -> (c < ' ' || c > '~') ? String.format("\\u%04x", c) : String.valueOf((char) c);
		}).collect(Collectors.joining("", "\"", "\""));
	}

	private Object value(String token) {
		return switch (token.charAt(0)) {
			case '{' -> members();
			case '[' -> elements();
			case '"' -> string(token);
			case '}', ']', ',', ':' -> throw new IllegalArgumentException("no value: " + token);
			default -> new Literal(token);
		};
	}

	private Map<String, Object> members() {
		Map<String, Object> members = new LinkedHashMap<>();
		for (String token = next(); !token.equals("}"); token = afterValue("}")) {
			require(next().equals(":"));
			members.put(string(token), value(next()));
		}
		return members;
	}

	private List<Object> elements() {
		List<Object> elements = new ArrayList<>();
		for (String token = next(); !token.equals("]"); token = afterValue("]")) {
			elements.add(value(token));
		}
		return elements;
	}

	/** The end, or the token that follows the comma. */
	private String afterValue(String end) {
		String token = next();
		if (token.equals(end)) {
			return token;
		}
		require(token.equals(","));
		return next();
	}

	private String next() {
		require(this.tokens.find());
		return this.tokens.group(1);
	}

	private static String string(String token) {
		require(token.startsWith("\""));
		return ESCAPE.matcher(token.substring(1, token.length() - 1)).replaceAll(Json::unescape);
	}

	private static String unescape(MatchResult escape) {
		String code = escape.group(1);
		char c = (code != null) ? (char) Integer.parseInt(code, 16) : switch (escape.group(2)) {
			case "n" -> '\n';
			case "t" -> '\t';
			case "r" -> '\r';
			case "b" -> '\b';
			case "f" -> '\f';
			default -> escape.group(2).charAt(0);
		};
		return Matcher.quoteReplacement(String.valueOf(c));
	}

	private static void require(boolean condition) {
		if (!condition) {
			throw new IllegalArgumentException("not JSON");
		}
	}

	/**
	 * A number, {@code true}, {@code false} or {@code null}, as it is written.
	 */
	public record Literal(String text) {

		public boolean isInteger() {
			return this.text.matches("-?[0-9]+");
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

}
