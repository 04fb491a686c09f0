package io.idempotent.jpa;

import jakarta.persistence.EntityManager;

import org.springframework.transaction.annotation.Transactional;

/**
 * Makes sales for the {@link Counter}.
 */
class Clerk {

	private final EntityManager entities;

	Clerk(EntityManager entities) {
		this.entities = entities;
	}

	@Transactional
	void sell(String payment) {
		this.entities.persist(new Sale(payment));
	}

}
