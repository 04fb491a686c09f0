package io.idempotent.json;

/**
 * A JSON text is nested too deeply, or has too many values, to be compared.
 */
public final class JsonTooComplexException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	JsonTooComplexException(Throwable cause) {
		super("The JSON is too deep or has too many values to be compared", cause);
	}

}
