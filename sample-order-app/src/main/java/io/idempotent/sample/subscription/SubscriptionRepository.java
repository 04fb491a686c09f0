package io.idempotent.sample.subscription;

import org.springframework.data.repository.ListCrudRepository;

interface SubscriptionRepository extends ListCrudRepository<Subscription, Long> {

}
