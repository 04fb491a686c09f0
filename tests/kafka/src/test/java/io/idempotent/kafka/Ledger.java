package io.idempotent.kafka;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Where payments take effect: a row for each time, since no key of the table forbids a
 * second one.
 */
class Ledger {

	private final JdbcClient database;

	private final String consumer;

	private final Incident incident;

	Ledger(JdbcClient database, String consumer, Incident incident) {
		this.database = database;
		this.consumer = consumer;
		this.incident = incident;
	}

	void book(Payment payment) {
		this.database.sql("insert into booking (payment, consumer) values (?, ?)")
			.params(payment.id(), this.consumer)
			.update();
		this.incident.happenTo(payment);
	}

}
