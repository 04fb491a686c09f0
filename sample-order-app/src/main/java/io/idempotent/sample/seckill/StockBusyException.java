package io.idempotent.sample.seckill;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * Thrown if every attempt to update the stock lost against a concurrent one. Nothing was
 * sold; another attempt may succeed.
 */
class StockBusyException extends ErrorResponseException {

	private static final long serialVersionUID = 1L;

	StockBusyException(String sku) {
		super(HttpStatus.SERVICE_UNAVAILABLE, ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE,
				"Too many want " + sku + " right now: try again"), null);
		getBody().setProperty("code", "stock-busy");
		getHeaders().set(HttpHeaders.RETRY_AFTER, "1");
	}

}
