package io.idempotent.calls;

import io.idempotent.client.DerivedKey;

import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.service.annotation.PostExchange;

/**
 * The payments as an HTTP interface.
 */
interface PaymentClient {

	/** With a key of its own for each call. */
	@PostExchange("/payments")
	Payment pay(@RequestBody NewPayment payment);

	/** With the key that the caller names. */
	@PostExchange("/payments")
	Payment pay(@RequestBody NewPayment payment, @RequestHeader("Idempotency-Key") String key);

	/** With a key that is the same each time the caller's operation runs. */
	@PostExchange("/payments")
	@DerivedKey("charge")
	Payment charge(@RequestBody NewPayment payment);

}
