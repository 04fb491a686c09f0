package io.idempotent.kafka;

/**
 * Comes between a booking and its commit.
 */
@FunctionalInterface
interface Incident {

	Incident NONE = (payment) -> {
	};

	void happenTo(Payment payment);

}
