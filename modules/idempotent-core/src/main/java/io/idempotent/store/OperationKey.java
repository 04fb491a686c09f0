package io.idempotent.store;

import java.util.List;
import java.util.stream.Collectors;

import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

/**
 * The name of one operation: a digest of the namespace (the application), the operation's
 * name, the scope (who, where) and the key value. What a client sent cannot be read from
 * it, and different values have different keys.
 */
public record OperationKey(Digest digest) {

	/**
	 * Derives the key of an operation.
	 * @param namespace the name of the application
	 * @param operation the name of the operation
	 * @param scope the caller and the place, as a list whose meaning is fixed for each
	 * operation
	 * @param value the key value, as the client sent it
	 */
	public static OperationKey of(String namespace, String operation, List<String> scope, String value) {
		Digest.Builder builder = Digest.sha256().add(namespace).add(operation);
		scope.forEach(builder::add);
		return new OperationKey(builder.add(value).build());
	}

	/**
	 * The caller in the scope of a key: name, tenant and session, of which an absent one
	 * differs from every present one.
	 */
	public static List<String> caller(@Nullable String name, @Nullable String tenant, @Nullable String session) {
		return List.of(part(name), part(tenant), part(session));
	}

	private static String part(@Nullable String value) {
		return (value != null) ? "=" + value : "-";
	}

	/**
	 * Writes several parts of a key as one text. Each part follows its length, so that
	 * different lists, of any parts, are different texts.
	 */
	public static String text(List<String> parts) {
		return parts.stream().map((part) -> part.length() + ":" + part).collect(Collectors.joining(","));
	}

	/**
	 * Derives a key for a part of this operation, such as a downstream call: the same key
	 * for every attempt.
	 */
	public OperationKey derive(String purpose) {
		return new OperationKey(Digest.sha256().add(this.digest.bytes()).add(purpose).build());
	}

	/**
	 * Reads the text of a key.
	 * @param encoded the result of {@link #encoded()}
	 * @throws IllegalArgumentException if it is not the text of a key
	 */
	public static OperationKey parse(String encoded) {
		return new OperationKey(Digest.parse(encoded));
	}

	/** The key as text: 43 characters of base64url. */
	public String encoded() {
		return this.digest.encoded();
	}

	/** A short hash, for logs: the first 12 characters of {@link #encoded()}. */
	@Override
	public String toString() {
		return this.digest.toString();
	}

}
