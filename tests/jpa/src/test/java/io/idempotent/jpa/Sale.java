package io.idempotent.jpa;

import java.util.UUID;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import jakarta.persistence.Transient;
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

	@Transient
	private Runnable flushed = () -> {
	};

	protected Sale() {
	}

	Sale(String payment) {
		this.payment = payment;
	}

	Sale(String payment, Runnable flushed) {
		this.payment = payment;
		this.flushed = flushed;
	}

	@PostPersist
	void flushed() {
		this.flushed.run();
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
