package io.idempotent.sample.reminder;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * Thrown if a reminder does not exist.
 */
class UnknownReminderException extends ErrorResponseException {

	private static final long serialVersionUID = 1L;

	UnknownReminderException(long id) {
		super(HttpStatus.NOT_FOUND,
				ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, "There is no reminder " + id), null);
	}

}
