package io.idempotent.messaging;

/**
 * Comes between a booking and its commit.
 */
@FunctionalInterface
interface Incident {

	Incident NONE = (payment) -> {
	};

	void happenTo(String payment);

}
