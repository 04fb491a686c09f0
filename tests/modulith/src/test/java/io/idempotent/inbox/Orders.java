package io.idempotent.inbox;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/**
 * The module that publishes.
 */
class Orders {

	private final JdbcClient database;

	private final ApplicationEventPublisher events;

	Orders(JdbcClient database, ApplicationEventPublisher events) {
		this.database = database;
		this.events = events;
	}

	@Transactional
	void place(String order) {
		this.database.sql("insert into placed (id) values (?)").param(order).update();
		this.events.publishEvent(new OrderPlaced(order));
	}

}
