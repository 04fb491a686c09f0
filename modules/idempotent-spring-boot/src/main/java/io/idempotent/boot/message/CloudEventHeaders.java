package io.idempotent.boot.message;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * The identity of a CloudEvent in binary mode: its attributes are headers of the message.
 */
final class CloudEventHeaders {

	/** Of HTTP and Spring Messaging, Kafka, AMQP, and names that JMS admits. */
	private static final List<String> PREFIXES = List.of("ce-", "ce_", "cloudEvents:", "cloudEvents_");

	static final String DESCRIPTION = "CloudEvents headers id and source (" + String.join(", ", PREFIXES) + ")";

	private CloudEventHeaders() {
	}

	/**
	 * Finds the identity.
	 * @param headers a header by its name
	 * @return the identity, or {@code null} if there is none
	 */
	static @Nullable String identity(Function<String, @Nullable Object> headers) {
		for (String prefix : PREFIXES) {
			String identity = identity(text(headers.apply(prefix + "source")), text(headers.apply(prefix + "id")));
			if (identity != null) {
				return identity;
			}
		}
		return null;
	}

	/**
	 * Two identities are equal if and only if both parts are: the source is a URI, which
	 * contains no spaces.
	 * @param source the source, or an empty string
	 * @param id the id, or an empty string
	 * @return the identity, or {@code null} if a part is missing
	 */
	static @Nullable String identity(String source, String id) {
		return (source.isEmpty() || id.isEmpty()) ? null : source + " " + id;
	}

	/** Headers of Kafka are bytes. */
	private static String text(@Nullable Object header) {
		if (header == null) {
			return "";
		}
		return (header instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : header.toString();
	}

}
