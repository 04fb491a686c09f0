package io.idempotent.administration.autoconfigure;

import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.policy.DeclaredPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The operations of one kind (HTTP requests or method calls) that this node knows, and
 * their keys. Keys are derived by the same code as for a submission, so that an operator
 * can find its record from what the client sent.
 */
interface OperationCatalog {

	/** How operations are submitted: {@code http} or {@code method}. */
	String entrance();

	/** The operations that this node knows by now, sorted by name. */
	List<Description> operations();

	/**
	 * Derives the keys that a submission may have, the most probable first.
	 * @throws BadRequestException if no submission with this content has a record
	 */
	List<OperationKey> keys(String operation, SentKey sent);

	/**
	 * Reads a stored answer of an operation of this catalog.
	 * @throws IllegalArgumentException if it cannot be read
	 */
	StoredAnswer read(byte[] answer);

	/**
	 * An operation.
	 *
	 * @param key where its key comes from: {@code TOKEN}, {@code HEADER} or
	 * {@code CONTENT}
	 * @param mappings the requests that are mapped to it, such as {@code POST
	 * /orders/{id}}; empty for a method
	 * @param annotation the annotation of a handler method, or {@code null}
	 */
	record Description(String name, String key, @Nullable String expression, List<String> mappings,
			DeclaredPolicy declared, @Nullable ApiIdempotent annotation) {
	}

	/**
	 * What a client sent. An empty text means none: an empty caller or tenant is never in
	 * a key.
	 *
	 * @param key the token, the value of the header, or the value of the key expression
	 * @param caller the name of the caller, or {@code null} if the caller is anonymous
	 * @param session the id of the HTTP session, or {@code null} if it is not part of the
	 * key
	 * @param method the HTTP method, or {@code null} if only one is mapped
	 * @param path the path of the request
	 */
	record SentKey(String key, @Nullable String caller, @Nullable String tenant, @Nullable String session,
			@Nullable String method, @Nullable String path) {

		static SentKey of(@Nullable String key, @Nullable String caller, @Nullable String tenant,
				@Nullable String session, @Nullable String method, @Nullable String path) {
			return new SentKey((key != null) ? key : "", orNull(caller), orNull(tenant), orNull(session),
					orNull(method), orNull(path));
		}

		private static @Nullable String orNull(@Nullable String text) {
			return StringUtils.hasLength(text) ? text : null;
		}

	}

	/**
	 * A stored answer.
	 *
	 * @param status the HTTP status, or {@code null} for the result of a method
	 * @param contentType the media type of the body, or {@code null} if it is not stored
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record StoredAnswer(@Nullable Integer status, @Nullable String contentType, byte[] body) {
	}

}
