package com.example.shop;

import io.idempotent.client.DerivedKey;

import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.service.annotation.PostExchange;

interface PaymentClient {

	@PostExchange("/payments") // a new key for each call
	Payment pay(@RequestBody NewPayment payment);

	@PostExchange("/payments") // the key that the caller gives
	Payment pay(@RequestBody NewPayment payment, @RequestHeader("Idempotency-Key") String key);

	@PostExchange("/payments") // a key derived from the running operation
	@DerivedKey("charge")
	Payment charge(@RequestBody NewPayment payment);

}
