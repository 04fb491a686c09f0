package io.idempotent.programs;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/**
 * What a program throws to say that nothing took effect, as a handler method does.
 */
@ResponseStatus(HttpStatus.UNPROCESSABLE_CONTENT)
final class RejectedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	RejectedException() {
		super("planned", null, false, false);
	}

}
