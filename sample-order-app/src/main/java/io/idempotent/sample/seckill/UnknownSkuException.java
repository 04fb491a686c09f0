package io.idempotent.sample.seckill;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * Thrown if the article is unknown.
 */
class UnknownSkuException extends ErrorResponseException {

	private static final long serialVersionUID = 1L;

	UnknownSkuException(String sku) {
		super(HttpStatus.NOT_FOUND,
				ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, "There is no stock of " + sku), null);
	}

}
