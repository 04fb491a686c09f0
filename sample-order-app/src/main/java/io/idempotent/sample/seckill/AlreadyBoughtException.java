package io.idempotent.sample.seckill;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * Thrown if the customer has already bought the article.
 */
class AlreadyBoughtException extends ErrorResponseException {

	private static final long serialVersionUID = 1L;

	AlreadyBoughtException(String sku, String userId, @Nullable Throwable cause) {
		super(HttpStatus.CONFLICT,
				ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, userId + " has already bought " + sku), cause);
		getBody().setProperty("code", "already-bought");
	}

}
