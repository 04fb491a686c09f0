package io.idempotent.inbox;

/**
 * Comes between a reservation and its commit.
 */
@FunctionalInterface
interface Incident {

	Incident NONE = (order) -> {
	};

	void happenTo(String order);

}
