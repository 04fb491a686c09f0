package io.idempotent.inbox;

import io.idempotent.Idempotent;

import org.springframework.modulith.events.ApplicationModuleListener;

/**
 * The module that listens; it stands in {@code docs/messages.md}.
 */
class Warehouse {

	private final Stock stock;

	Warehouse(Stock stock) {
		this.stock = stock;
	}

	@ApplicationModuleListener
	@Idempotent
	void on(OrderPlaced event) {
		this.stock.reserve(event.order());
	}

}
