package io.idempotent.messaging;

import io.idempotent.Idempotent;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.messaging.Message;
import org.springframework.transaction.annotation.Transactional;

/**
 * What an application with RabbitMQ writes.
 */
class AmqpPayments {

	private final Ledger ledger;

	AmqpPayments(Ledger ledger) {
		this.ledger = ledger;
	}

	@RabbitListener(queues = "${shop.payments}")
	@Idempotent(name = "payments", waitTimeout = "${shop.wait:35s}")
	@Transactional
	void receive(Message<String> payment) {
		this.ledger.book(payment.getPayload());
	}

}
