package io.idempotent.inbox;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Where events take effect: a row for each time, since no key of the table forbids a
 * second one.
 */
class Stock {

	private final JdbcClient database;

	private final Incident incident;

	Stock(JdbcClient database, Incident incident) {
		this.database = database;
		this.incident = incident;
	}

	void reserve(String order) {
		this.database.sql("insert into reservation (placed) values (?)").param(order).update();
		this.incident.happenTo(order);
	}

}
