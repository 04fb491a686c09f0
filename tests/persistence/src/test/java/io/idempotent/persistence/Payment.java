package io.idempotent.persistence;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * An entity of JPA.
 */
@Entity
class Payment {

	@Id
	private String id = "";

	protected Payment() {
	}

	Payment(String id) {
		this.id = id;
	}

	String id() {
		return this.id;
	}

}
