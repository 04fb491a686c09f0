package io.idempotent.sample.subscription;

import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
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
@RequestMapping("/subscriptions")
class SubscriptionController {

	private final SubscriptionRepository subscriptions;

	private final SubscriptionService service;

	SubscriptionController(SubscriptionRepository subscriptions, SubscriptionService service) {
		this.subscriptions = subscriptions;
		this.service = service;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	@ApiIdempotent(KeySource.HEADER)
	Subscription subscribe(@RequestBody @Valid NewSubscription wanted, IdempotencyContext context) {
		return this.service.subscribe(context.key(), wanted);
	}

	@GetMapping
	List<Subscription> list() {
		return this.subscriptions.findAll();
	}

}
