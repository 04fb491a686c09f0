package io.idempotent.benchmarks.http;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.benchmarks.http.PlainHandlers.Order;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * The same handler, once for each way to name a submission.
 */
@RestController
class IdempotentHandlers {

	@PostMapping("/order-by-key")
	@ApiIdempotent(KeySource.HEADER)
	Order byKey(@RequestBody Order order) {
		return order;
	}

	@PostMapping("/order-by-token")
	@ApiIdempotent(KeySource.TOKEN)
	Order byToken(@RequestBody Order order) {
		return order;
	}

}
