package io.idempotent.jpa;

import java.util.UUID;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;

/**
 * What has taken effect. Its identifier is assigned, so nothing is inserted before the
 * flush, and no key of the table forbids a second one for the same payment.
 */
@Entity
class Sale {

	@Id
	private String id = UUID.randomUUID().toString();

	private String payment = "";

	@Version
	private int version;

	protected Sale() {
	}

	Sale(String payment) {
		this.payment = payment;
	}

	String id() {
		return this.id;
	}

	void payBy(String other) {
		this.payment = other;
	}

	@Override
	public String toString() {
		return "Sale[" + this.id + " by " + this.payment + ", version " + this.version + "]";
	}

}
