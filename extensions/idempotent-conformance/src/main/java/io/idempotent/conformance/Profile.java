package io.idempotent.conformance;

import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The protocols that a target can be checked against.
 */
public enum Profile {

	/** The protocol of idempotent-spring-boot-starter. */
	IDEMPOTENT(false, "Idempotency-Replayed", 422, "application/problem+json",
			Map.of(Refused.MISSING, "key-missing", Refused.MALFORMED, "key-malformed", Refused.REUSED, "key-reused",
					Refused.IN_PROGRESS, "in-progress")),

	/** The draft draft-ietf-httpapi-idempotency-key-header-07. */
	IETF(true, null, 422, "application/problem+json", Map.of()),

	/** Version 1 of the Stripe API. */
	STRIPE(false, "Idempotent-Replayed", 400, "application/json",
			Map.of(Refused.REUSED, "idempotency_error", Refused.IN_PROGRESS, "idempotency_error")),

	/** The agentic-commerce protocol, version 2026-04-17. */
	ACP(false, "Idempotent-Replayed", 422, "application/json", Map.of(Refused.MISSING, "idempotency_key_required",
			Refused.REUSED, "idempotency_conflict", Refused.IN_PROGRESS, "idempotency_in_flight"));

	private final boolean quoted;

	private final @Nullable String marker;

	private final int reusedStatus;

	private final String errorType;

	@SuppressWarnings("ImmutableEnumChecker") // made by Map.of
	private final Map<Refused, String> codes;

	Profile(boolean quoted, @Nullable String marker, int reusedStatus, String errorType, Map<Refused, String> codes) {
		this.quoted = quoted;
		this.marker = marker;
		this.reusedStatus = reusedStatus;
		this.errorType = errorType;
		this.codes = codes;
	}

	/** The name on the command line, in lower case. */
	public String id() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** How a key is sent where its spelling does not matter. */
	String spell(String key) {
		return this.quoted ? '"' + key + '"' : key;
	}

	/** The response header that marks a replay, or {@code null} if there is none. */
	@Nullable String marker() {
		return this.marker;
	}

	int reusedStatus() {
		return this.reusedStatus;
	}

	String errorType() {
		return this.errorType;
	}

	/** What identifies a refusal in its body, or {@code null} if nothing does. */
	@Nullable String code(Refused refused) {
		return this.codes.get(refused);
	}

	enum Refused {

		MISSING, MALFORMED, REUSED, IN_PROGRESS

	}

}
