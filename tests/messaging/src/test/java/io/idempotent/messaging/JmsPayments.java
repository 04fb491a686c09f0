package io.idempotent.messaging;

import io.idempotent.Idempotent;

import org.springframework.jms.annotation.JmsListener;
import org.springframework.messaging.Message;
import org.springframework.transaction.annotation.Transactional;

/**
 * What an application with JMS writes.
 */
class JmsPayments {

	private final Ledger ledger;

	JmsPayments(Ledger ledger) {
		this.ledger = ledger;
	}

	@JmsListener(destination = "${shop.payments}")
	@Idempotent(name = "payments", waitTimeout = "${shop.wait:35s}")
	@Transactional
	void receive(Message<String> payment) {
		this.ledger.book(payment.getPayload());
	}

}
