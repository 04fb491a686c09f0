package io.idempotent.messaging;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Where payments take effect: a row for each time, since no key of the table forbids a
 * second one.
 */
class Ledger {

	private final JdbcClient database;

	private final Incident incident;

	Ledger(JdbcClient database, Incident incident) {
		this.database = database;
		this.incident = incident;
	}

	void book(String payment) {
		this.database.sql("insert into booking (payment) values (?)").param(payment).update();
		this.incident.happenTo(payment);
	}

}
