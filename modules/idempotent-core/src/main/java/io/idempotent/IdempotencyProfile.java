package io.idempotent;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The protocols of the {@code Idempotency-Key} header that HTTP operations can follow. A
 * profile chooses the {@link Protocol}; each of its attributes can be set by itself, and
 * an explicit setting takes precedence. The constants below are the only place where the
 * protocols differ.
 */
public enum IdempotencyProfile {

	/** The protocol of this library: errors release the key, refusals are problems. */
	IDEMPOTENT(new Protocol("Idempotency-Replayed", KeySyntax.QUOTED_OR_BARE, true, false, NumberComparison.AS_WRITTEN,
			List.of(), ErrorFormat.PROBLEM, Map.of())),

	/** The draft draft-ietf-httpapi-idempotency-key-header-07, read strictly. */
	IETF(new Protocol("Idempotency-Replayed", KeySyntax.QUOTED, true, false, NumberComparison.AS_WRITTEN,
			List.of("4xx", "5xx"), ErrorFormat.PROBLEM, Map.of())),

	/** Version 1 of the Stripe API, as it is documented. */
	STRIPE(new Protocol("Idempotent-Replayed", KeySyntax.OPAQUE, false, false, NumberComparison.AS_WRITTEN,
			List.of("4xx", "5xx"), ErrorFormat.STRIPE, Map.of(Refusal.KEY_REUSED, 400))),

	/** The agentic-commerce protocol (ACP), version 2026-04-17. */
	ACP(new Protocol("Idempotent-Replayed", KeySyntax.OPAQUE, true, true, NumberComparison.BY_VALUE, List.of("4xx"),
			ErrorFormat.ACP, Map.of()));

	@SuppressWarnings("ImmutableEnumChecker") // its collections are copies
	private final Protocol protocol;

	IdempotencyProfile(Protocol protocol) {
		this.protocol = protocol;
	}

	public Protocol protocol() {
		return this.protocol;
	}

	/**
	 * What differs between the protocols.
	 *
	 * @param replayedHeader the response header that marks a replay, with the value
	 * {@code true}
	 * @param keySyntax how the key is written in its header
	 * @param keyRequired whether a request without the header is refused; otherwise the
	 * operation runs, unprotected
	 * @param echoKey whether each response carries the key of its request
	 * @param numberComparison how the numbers of two JSON bodies are compared
	 * @param replayErrors the errors of operations with a header key that are recorded
	 * and replayed, by status
	 * @param errorFormat the format of refusals
	 * @param statuses the statuses of refusals that differ from the defaults
	 */
	public record Protocol(String replayedHeader, KeySyntax keySyntax, boolean keyRequired, boolean echoKey,
			NumberComparison numberComparison, List<String> replayErrors, ErrorFormat errorFormat,
			Map<Refusal, Integer> statuses) {

		public Protocol {
			replayErrors = List.copyOf(replayErrors);
			statuses = Map.copyOf(statuses);
		}

	}

	/**
	 * How a key is written in its header. It always consists of 1 to 255 printable ASCII
	 * characters.
	 */
	public enum KeySyntax {

		/** A structured-field string in quotes, or the same without quotes. */
		QUOTED_OR_BARE,

		/** A structured-field string in quotes. */
		QUOTED,

		/** Any text. Quotes, spaces and commas are part of the key. */
		OPAQUE

	}

	/**
	 * How the numbers of two JSON bodies are compared.
	 */
	public enum NumberComparison {

		/** By their characters: {@code 1} and {@code 1.0} differ. */
		AS_WRITTEN,

		/** By their values: {@code 1} and {@code 1.0} are equal. */
		BY_VALUE

	}

	/**
	 * The format of a refusal, for clients that do not prefer HTML.
	 */
	public enum ErrorFormat {

		/** A problem document of RFC 9457. */
		PROBLEM,

		/** Stripe's object {@code {"error": {"type": …, "code": …, "message": …}}}. */
		STRIPE,

		/** ACP's object {@code {"type": …, "code": …, "message": …}}. */
		ACP;

		/**
		 * The code of a refusal in this format. What the protocol does not name has the
		 * code of this library, with underscores instead of hyphens.
		 */
		public String code(Refusal refusal) {
			if (this == PROBLEM) {
				return refusal.code();
			}
			boolean stripe = this == STRIPE;
			return switch (refusal) {
				case IN_PROGRESS -> stripe ? "idempotency_key_in_use" : "idempotency_in_flight";
				case KEY_REUSED -> stripe ? "idempotency_key_reused" : "idempotency_conflict";
				case KEY_MISSING -> "idempotency_key_required";
				case KEY_MALFORMED -> "idempotency_key_invalid";
				default -> refusal.name().toLowerCase(Locale.ROOT);
			};
		}

	}

}
