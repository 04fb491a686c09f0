package io.idempotent.sample.payment;

import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import jakarta.validation.Valid;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/payments")
class PaymentController {

	private final PaymentService payments;

	PaymentController(PaymentService payments) {
		this.payments = payments;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	@ApiIdempotent(KeySource.HEADER)
	Payment settle(@RequestBody @Valid NewPayment payment) {
		return this.payments.settle(payment);
	}

	@GetMapping
	List<Payment> list() {
		return this.payments.findAll();
	}

}
