package io.idempotent.inbox;

import org.springframework.modulith.events.ApplicationModuleListener;

/**
 * The same without idempotency: what the tests must notice.
 */
class UnprotectedWarehouse {

	private final Stock stock;

	UnprotectedWarehouse(Stock stock) {
		this.stock = stock;
	}

	@ApplicationModuleListener
	void on(OrderPlaced event) {
		this.stock.reserve(event.order());
	}

}
