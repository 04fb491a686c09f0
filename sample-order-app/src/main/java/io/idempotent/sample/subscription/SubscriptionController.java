package io.idempotent.sample.subscription;

import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.sample.subscription.ProviderClient.Charge;
import io.idempotent.steps.OperationSteps;
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

	private final ProviderClient provider;

	SubscriptionController(SubscriptionRepository subscriptions, ProviderClient provider) {
		this.subscriptions = subscriptions;
		this.provider = provider;
	}

	/** Continues after the last step that is done, if it is repeated. */
	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	@ApiIdempotent(KeySource.HEADER)
	Subscription subscribe(@RequestBody @Valid NewSubscription wanted, OperationSteps steps) {
		Charge charge = steps.external("charge", Charge.class, (key) -> this.provider.charge(wanted, key));
		Subscription paid = steps.transactional("book", Subscription.class,
				() -> this.subscriptions.save(new Subscription(null, wanted.tea(), wanted.email(), charge.id())));
		steps.external("mail", (key) -> this.provider.sendMail(paid, key));
		return paid;
	}

	@GetMapping
	List<Subscription> list() {
		return this.subscriptions.findAll();
	}

}
