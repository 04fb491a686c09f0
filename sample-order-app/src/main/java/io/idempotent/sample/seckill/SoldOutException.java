package io.idempotent.sample.seckill;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * Thrown if the article is sold out.
 */
class SoldOutException extends ErrorResponseException {

	private static final long serialVersionUID = 1L;

	SoldOutException(String sku) {
		super(HttpStatus.CONFLICT, ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, sku + " is sold out"), null);
		getBody().setProperty("code", "sold-out");
	}

}
