package io.idempotent;

/**
 * Where the key that names one operation comes from.
 */
public enum KeySource {

	/** As {@code idempotent.defaults.source} says, which is never DEFAULT. */
	DEFAULT,

	/**
	 * A form token that this application issued ({@code GET /token}) and the caller sends
	 * back in a header or a form field.
	 */
	TOKEN,

	/** The {@code Idempotency-Key} header, chosen by the caller. */
	HEADER,

	/**
	 * The content of the request: the value of {@link ApiIdempotent#key()}, or the whole
	 * canonical content if there is no expression.
	 */
	CONTENT

}
