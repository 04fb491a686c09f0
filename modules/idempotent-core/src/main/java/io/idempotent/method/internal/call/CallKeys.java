package io.idempotent.method.internal.call;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.idempotent.json.JsonCanonicalizer;
import io.idempotent.method.json.CallJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.exc.StreamConstraintsException;

import org.springframework.beans.BeanUtils;

/**
 * Turns the content of a key into a key: a text, a number or another simple value by its
 * text, anything else by its JSON in the form in which bodies of requests are compared.
 * So a map and an object with the same properties are the same content, in any order.
 */
public final class CallKeys {

	/** JSON of empty values, which do not identify a call. */
	private static final Set<String> EMPTY_JSON = Set.of("null", "\"\"", "{}", "[]");

	private final JsonCanonicalizer canonicalizer = new JsonCanonicalizer();

	private final @Nullable CallJson json;

	public CallKeys(@Nullable CallJson json) {
		this.json = json;
	}

	/**
	 * Makes a key.
	 * @param content its content
	 * @return the key, or {@code null} if the content is empty
	 * @throws IllegalArgumentException if the content cannot be written as JSON
	 */
	@Nullable CallKey of(@Nullable Object content) {
		if (content instanceof Optional<?> optional) {
			return of(optional.orElse(null));
		}
		if (content == null || isEmpty(content)) {
			return null;
		}
		if (content instanceof CharSequence || BeanUtils.isSimpleValueType(content.getClass())) {
			String text = (content instanceof Enum<?> constant) ? constant.name() : content.toString();
			return text.isEmpty() ? null : new CallKey("text", text, text);
		}
		byte[] written = write(content);
		String json = new String(written, StandardCharsets.UTF_8);
		return EMPTY_JSON.contains(json) ? null : new CallKey("json", canonical(content, written), json);
	}

	/**
	 * The keys of the contents that are written as a text: the text itself, or any
	 * content that has this JSON.
	 * @param text the text
	 * @return the keys, possibly none
	 */
	public List<CallKey> written(String text) {
		if (text.isEmpty()) {
			return List.of();
		}
		CallKey asText = new CallKey("text", text, text);
		String json = canonicalOrNull(text);
		return (json == null || EMPTY_JSON.contains(json)) ? List.of(asText)
				: List.of(asText, new CallKey("json", json, text));
	}

	private @Nullable String canonicalOrNull(String text) {
		try {
			return this.canonicalizer.canonicalize(text.getBytes(StandardCharsets.UTF_8));
		}
		catch (StreamConstraintsException ex) {
			return null;
		}
	}

	private String canonical(Object content, byte[] written) {
		try {
			String canonical = this.canonicalizer.canonicalize(written);
			if (canonical != null) {
				return canonical;
			}
			throw new IllegalArgumentException(
					"The text written for a key of type " + content.getClass().getName() + " is not JSON");
		}
		catch (StreamConstraintsException ex) {
			throw new IllegalArgumentException(
					"The JSON of a key of type " + content.getClass().getName()
							+ " is too deep to be compared: take the part of it that tells one operation from another",
					ex);
		}
	}

	private static boolean isEmpty(Object content) {
		return (content instanceof Map<?, ?> map && map.isEmpty())
				|| (content instanceof Collection<?> collection && collection.isEmpty());
	}

	private byte[] write(Object content) {
		if (this.json == null) {
			throw new IllegalArgumentException("A key of type " + content.getClass().getName()
					+ " counts by its JSON, but there is no tools.jackson.core:jackson-databind on the class path: "
					+ "add it, or let the key be a text");
		}
		return this.json.writeKey(content);
	}

}
