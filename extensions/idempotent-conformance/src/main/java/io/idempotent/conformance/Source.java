package io.idempotent.conformance;

/**
 * The documents that vectors are taken from.
 */
enum Source {

	DRAFT("draft-07", "https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header-07#section-"),

	STRIPE("Stripe API", "https://docs.stripe.com/"),

	ACP("ACP",
			"https://github.com/agentic-commerce-protocol/agentic-commerce-protocol/blob/main/rfcs/rfc.agentic_checkout.md"),

	HTTP("RFC 9110", "https://www.rfc-editor.org/rfc/rfc9110#section-"),

	STRUCTURED_FIELDS("RFC 9651", "https://www.rfc-editor.org/rfc/rfc9651#section-"),

	PROBLEMS("RFC 9457", "https://www.rfc-editor.org/rfc/rfc9457#section-"),

	PROMISE("this library", "docs/");

	private final String title;

	private final String address;

	Source(String title, String address) {
		this.title = title;
		this.address = address;
	}

	String cite(String section) {
		return this.title + ", " + section;
	}

	String link(String section) {
		return (this == ACP) ? this.address : this.address + section;
	}

}
