package io.idempotent.boot.message;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/** The identity of a CloudEvent in binary mode, whose attributes are headers. */
final class CloudEventHeaders {

	/** Of HTTP and Spring Messaging, Kafka, AMQP, and names that JMS admits. */
	private static final List<String> PREFIXES = List.of("ce-", "ce_", "cloudEvents:", "cloudEvents_");

	static final String DESCRIPTION = "CloudEvents headers id and source (" + String.join(", ", PREFIXES) + ")";

	private CloudEventHeaders() {
	}

	static @Nullable String identity(Function<String, @Nullable Object> headers) {
		for (String prefix : PREFIXES) {
			String identity = identity(text(headers.apply(prefix + "source")), text(headers.apply(prefix + "id")));
			if (identity != null) {
				return identity;
			}
		}
		return null;
	}

	/** A source is a URI without spaces, so equal identities have equal parts. */
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
