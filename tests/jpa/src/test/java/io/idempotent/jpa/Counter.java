package io.idempotent.jpa;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import jakarta.persistence.EntityManager;

import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Where sales are ordered by HTTP.
 */
@RestController
class Counter {

	private final EntityManager entities;

	private final Clerk clerk;

	Counter(EntityManager entities, Clerk clerk) {
		this.entities = entities;
		this.clerk = clerk;
	}

	/**
	 * Reads on the entity manager of the view before there is a transaction.
	 */
	@ApiIdempotent(KeySource.HEADER)
	@PostMapping("/sales")
	String order(@RequestBody String payment) {
		this.entities.find(Sale.class, payment);
		this.clerk.sell(payment);
		return isInView() ? "sold in view" : "sold";
	}

	private boolean isInView() {
		return TransactionSynchronizationManager.hasResource(this.entities.getEntityManagerFactory());
	}

	static class Clerk {

		private final EntityManager entities;

		Clerk(EntityManager entities) {
			this.entities = entities;
		}

		@Transactional
		void sell(String payment) {
			this.entities.persist(new Sale(payment));
		}

	}

}
