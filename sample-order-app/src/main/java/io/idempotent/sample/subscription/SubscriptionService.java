package io.idempotent.sample.subscription;

import io.idempotent.Idempotent;
import io.idempotent.sample.subscription.ProviderClient.Charge;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.Resumable;

import org.springframework.stereotype.Service;

@Service
class SubscriptionService {

	private final SubscriptionRepository subscriptions;

	private final ProviderClient provider;

	private final OperationStepsFactory steps;

	SubscriptionService(SubscriptionRepository subscriptions, ProviderClient provider, OperationStepsFactory steps) {
		this.subscriptions = subscriptions;
		this.provider = provider;
		this.steps = steps;
	}

	/**
	 * Continues after the last step that is done, if the customer repeats it, or later if
	 * nobody does.
	 */
	@Idempotent(key = "#request")
	@Resumable
	Subscription subscribe(String request, NewSubscription wanted) {
		OperationSteps running = this.steps.current();
		Charge charge = running.external("charge", Charge.class, (key) -> this.provider.charge(wanted, key));
		Subscription paid = running.transactional("book", Subscription.class,
				() -> this.subscriptions.save(new Subscription(null, wanted.tea(), wanted.email(), charge.id())));
		running.external("mail", (key) -> this.provider.sendMail(paid, key));
		return paid;
	}

}
