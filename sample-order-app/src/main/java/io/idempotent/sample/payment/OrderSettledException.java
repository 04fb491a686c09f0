package io.idempotent.sample.payment;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * Thrown if another payment has already settled the order.
 */
class OrderSettledException extends ErrorResponseException {

	private static final long serialVersionUID = 1L;

	OrderSettledException(long orderId, Throwable cause) {
		super(HttpStatus.CONFLICT,
				ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, "Order " + orderId + " is already settled"),
				cause);
	}

}
