package io.idempotent.method.internal.call;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import io.idempotent.json.JsonCanonicalizer;
import io.idempotent.method.json.CallJson;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.claim.Submission;
import io.idempotent.support.Digest;
import io.idempotent.support.KeyExpression;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.exc.StreamConstraintsException;

import org.springframework.beans.BeanUtils;

/**
 * Turns content into a key: a simple value by its text, anything else by its canonical
 * JSON, so that a map and an object with the same properties are the same content.
 */
public final class CallKeys {

	/** JSON of empty values, which do not identify a call. */
	private static final Set<String> EMPTY_JSON = Set.of("null", "\"\"", "{}", "[]");

	private final JsonCanonicalizer canonicalizer = new JsonCanonicalizer();

	private final String namespace;

	private final @Nullable CallJson json;

	/** {@code json} is {@code null} without Jackson. */
	public CallKeys(String namespace, @Nullable CallJson json) {
		this.namespace = namespace;
		this.json = json;
	}

	/**
	 * The key has all content that is compared: its digest is the fingerprint.
	 * {@code null} if the content is empty. Throws if it cannot be written as JSON.
	 */
	@Nullable Submission submission(String operation, @Nullable Object content) {
		Key key = of(content);
		return (key != null) ? submission(key(operation, key.kind(), key.canonical()), key.text()) : null;
	}

	private OperationKey key(String operation, String kind, String canonical) {
		return OperationKey.of(this.namespace, operation, List.of("call", kind), canonical);
	}

	private @Nullable Key of(@Nullable Object content) {
		if (content instanceof Optional<?> optional) {
			return of(optional.orElse(null));
		}
		if (content == null || isEmpty(content)) {
			return null;
		}
		if (content instanceof CharSequence || BeanUtils.isSimpleValueType(content.getClass())) {
			String text = KeyExpression.textOf(content);
			return text.isEmpty() ? null : new Key("text", text, text);
		}
		byte[] written = write(content);
		String json = new String(written, StandardCharsets.UTF_8);
		return EMPTY_JSON.contains(json) ? null : new Key("json", canonical(content, written), json);
	}

	/** Of the key, and of content that is not part of it, which may be empty. */
	Fingerprint fingerprint(OperationKey key, @Nullable Object content) {
		Digest.Builder digest = Digest.sha256().add(key.digest().bytes());
		Key compared = of(content);
		if (compared != null) {
			digest.add(compared.kind()).add(compared.canonical());
		}
		return new Fingerprint(digest.build());
	}

	/** The key that a caller sent beside the content of a call. */
	public OperationKey sent(String operation, List<String> caller, String key) {
		return OperationKey.of(this.namespace, operation,
				Stream.concat(Stream.of("call", "request"), caller.stream()).toList(), key);
	}

	static Submission submission(OperationKey key, String text) {
		return new Submission(key, text, Fingerprint.of(key), Admission.OPEN, Duration.ZERO);
	}

	/** The keys of what is written as a text, or as any content that has this JSON. */
	public List<OperationKey> written(String operation, String text) {
		List<OperationKey> keys = new ArrayList<>();
		if (!text.isEmpty()) {
			keys.add(key(operation, "text", text));
		}
		String json = canonicalOrNull(text);
		if (json != null && !EMPTY_JSON.contains(json)) {
			keys.add(key(operation, "json", json));
		}
		return keys;
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
					"The text written for content of type " + content.getClass().getName() + " is not JSON");
		}
		catch (StreamConstraintsException ex) {
			throw new IllegalArgumentException(
					"The JSON of content of type " + content.getClass().getName()
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
			throw new IllegalArgumentException("Content of type " + content.getClass().getName()
					+ " counts by its JSON, but there is no tools.jackson.core:jackson-databind on the class path (on Spring "
					+ "Boot 3.5 com.fasterxml.jackson.core:jackson-databind): add it, or let the key be a text");
		}
		return this.json.writeKey(content);
	}

	/** Different kinds of content have different keys. */
	private record Key(String kind, String canonical, String text) {
	}

}
