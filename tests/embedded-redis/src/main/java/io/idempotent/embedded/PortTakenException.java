package io.idempotent.embedded;

/**
 * Somebody else listens on the port.
 */
final class PortTakenException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	PortTakenException(String message) {
		super(message);
	}

}
